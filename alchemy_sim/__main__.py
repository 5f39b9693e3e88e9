"""`python -m alchemy_sim`."""

import sys

from alchemy_sim.cli.app import main

if __name__ == "__main__":
    sys.exit(main())

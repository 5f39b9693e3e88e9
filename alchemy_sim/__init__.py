"""alchemy_sim: plays three alchemists' card games millions of times and tells their designers what the rules do."""

__version__ = "0.1.0"

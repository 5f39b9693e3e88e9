"""`alchemy-sim verify`: check a stored run's files against its manifest."""

from __future__ import annotations

from alchemy_sim.cli.reading import RunFolder


def verify(run: RunFolder) -> None:
    """Check a run's files: digests, gaps, doubles, files that don't belong, and the files of its own policies.

    Exit code 2 if anything is wrong.

    alchemy-sim verify runs/logbook
    """
    from pathlib import Path

    from alchemy_sim.cli import options
    from alchemy_sim.cli.output import emit
    from alchemy_sim.core.errors import StoreError
    from alchemy_sim.mc.files import MEND, read_json
    from alchemy_sim.mc.own import changed_policies
    from alchemy_sim.mc.verify import problems

    folder = Path(options.filled("RUN", run, "the folder of a run"))
    found = problems(folder)
    manifest = read_json(folder, "manifest.json")
    changed = changed_policies(manifest)
    if not found and not changed:
        kept = (
            f"{len({part['part'] for part in manifest['parts']})} parts"
            if manifest["keep"] == "games"
            else "totals only"
        )
        emit(f"{run}: {manifest['games']:,} games of each of {len(manifest['cells'])} cells, {kept}: all is well\n")
        return
    emit("".join(f"{each}\n" for each in [*found, *changed]))
    if not found:
        raise StoreError(f"{run}: its games are all there, but can't be played again: {changed[0]}")
    first = found[0] if len(found) == 1 else f"{len(found)} problems, the first: {found[0]}"
    raise StoreError(f"{run}: {first}; {MEND}")

"""Files that a command is given."""

from pathlib import Path

from arena.cli import CommandError


def check_distinct(first: Path | None, second: Path | None, *, names: str) -> None:
    """Check that two files are two; either may be missing, or not asked for (None).

    Raises:
        CommandError: they are one file.
    """
    if first is None or second is None:
        return
    if first.resolve() == second.resolve() or _is_linked(first, second):
        raise CommandError(f"{names} both name {second}; give each a file of its own")


def _is_linked(first: Path, second: Path) -> bool:
    return first.is_file() and second.is_file() and first.samefile(second)

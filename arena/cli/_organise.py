"""What `league withdraw`, `league close` and `match` do."""

from arena.cli import OK
from arena.store import organiser
from arena.store.database import Store, now_us


def withdraw(store: Store, league_id: str, entry: str) -> int:
    """Withdraw an entry, NAME or NAME@VERSION."""
    name, _, version = entry.partition("@")
    with store.writing() as session:
        organiser.withdraw_entry(session, league_id, name, version=version or None, at_us=now_us())
    print(f"{entry} is withdrawn; its results stay, its other matches lapse")
    return OK


def close(store: Store, league_id: str) -> int:
    """Close a league."""
    with store.writing() as session:
        lapsed = organiser.close_league(session, league_id, at_us=now_us())
    print(f"closed; {lapsed} matches lapse unplayed")
    return OK


def void(store: Store, match_id: str, why: str) -> int:
    """Void a match."""
    with store.writing() as session:
        organiser.void_match(session, match_id, why=why)
    print("voided; its games are rated no more")
    return OK


def requeue(store: Store, match_id: str) -> int:
    """Let a quarantined match be played on."""
    with store.writing() as session:
        organiser.requeue_match(session, match_id)
    print("it waits to be played on")
    return OK

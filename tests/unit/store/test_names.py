"""Names that a reader can see, and tell from others'."""

import pytest
from alembic import command
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from arena.store import repository, schema
from arena.store.database import Store, StoreError
from arena.store.names import canonical, check_name

ALIKE = ["Greedy", "GREEDY", "\uff47reedy", "\u1d4dreedy"]
UNSEEN = {
    "zero-width space": "gre\u200bedy",
    "zero-width joiner": "gre\u200dedy",
    "byte order mark": "\ufeffgreedy",
    "right-to-left override": "\u202egreedy",
    "soft hyphen": "gre\u00adedy",
    "escape": "\x1b[31mgreedy",
    "line break": "greedy\n",
    "null": "gre\0edy",
    "variation selector": "greedy\ufe0f",
    "grapheme joiner": "gre\u034fedy",
    "Hangul filler": "\u3164",
    "Braille blank": "\u2800",
}


def _submit(store: Store, name: str, *, version: str = "1") -> str:
    with store.writing() as session:
        return repository.submit_bot(session, name, version=version, host="::1", port=1)


def _canonicals(store: Store) -> list[tuple[str, str]]:
    with store.reading() as session:
        rows = session.execute(text("SELECT name, canonical FROM bot ORDER BY id"))
        return [tuple(row) for row in rows]


@pytest.mark.parametrize("name", ALIKE)
def test_a_name_that_looks_like_anothers_is_refused(store: Store, name: str) -> None:
    _submit(store, "greedy")
    with pytest.raises(StoreError, match="looks like 'greedy', which is taken; choose another"):
        _submit(store, name)
    assert _canonicals(store) == [("greedy", "greedy")]


def test_the_same_name_is_the_same_bot_and_others_are_others(store: Store) -> None:
    assert _submit(store, "Straße 2") == _submit(store, "Straße 2")
    assert _submit(store, "Straße 2", version="2") != _submit(store, "straße")
    assert _canonicals(store) == [("Straße 2", "strasse 2"), ("straße", "strasse")]
    with pytest.raises(StoreError, match="looks like 'straße'"):
        _submit(store, "STRASSE")
    with pytest.raises(StoreError, match="looks like 'Straße 2'"):
        _submit(store, "Straße  2")


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
@pytest.mark.parametrize("what", ["bot", "version", "league"])
def test_what_cannot_be_seen_is_no_part_of_a_name(name: str, what: str) -> None:
    with pytest.raises(StoreError, match=f"{what} name .*; it is 1 to 64 printable characters"):
        check_name(what, name)


def test_a_name_has_at_most_64_characters_also_as_it_is_compared() -> None:
    check_name("bot", "a" * 64)
    for name in ("", "a" * 65, "\ufdfa" * 5):
        with pytest.raises(StoreError, match="1 to 64"):
            check_name("bot", name)


@given(st.text(max_size=8))
def test_the_form_for_comparing_is_stable(name: str) -> None:
    assert canonical(canonical(name)) == canonical(name)


def test_an_upgrade_keeps_bots_whose_names_are_alike_already(store: Store) -> None:
    """The oldest keeps the form to itself; all of them can still get new versions."""
    config = schema.alembic_config()
    with store.engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0003")
        for key, name in enumerate(("Greedy", "greedy", "\ufdfa" * 5, "simple"), 1):
            connection.execute(
                text("INSERT INTO bot (id, public_id, name, created_us) VALUES (:k, :p, :n, 0)"),
                {"k": key, "p": f"bot{key}", "n": name},
            )
    schema.upgrade(store)
    schema.check(store)
    forms = [form for _, form in _canonicals(store)]
    assert forms[:2] == ["greedy", "greedy #2"]
    assert forms[2].endswith(" #3")
    assert len(forms[2]) == 64
    assert forms[3] == "simple"
    assert _submit(store, "simple") != _submit(store, "greedy", version="7")
    with pytest.raises(StoreError, match="looks like 'Greedy'"):
        _submit(store, "GREEDY")

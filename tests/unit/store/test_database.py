"""Opening databases; writers that wait for each other."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from arena.store.database import Store, StoreError, new_public_id
from arena.store.models import Worker


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("nonsense", "sqlite:///"),
        ("mysql://localhost/x", "only sqlite and postgresql"),
        ("sqlite:////no/such/folder/a.sqlite3", "does not exist; run `gin-arena db"),
    ],
)
def test_addresses_that_cannot_be_are_refused(url: str, error: str) -> None:
    with pytest.raises(StoreError, match=error):
        Store(url)


def test_what_a_writer_raises_undoes_its_work(store: Store) -> None:
    def write() -> None:
        with store.writing() as session:
            session.add(Worker(name="w", processes=1, seen_us=1))
            session.flush()
            raise KeyError

    with pytest.raises(KeyError):
        write()
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(Worker)) == 0


def test_writers_that_read_first_wait_for_each_other(store: Store) -> None:
    """W11: a read that is followed by a write loses nothing and is never told "locked"."""
    with store.writing() as session:
        session.add(Worker(name="w", processes=0, seen_us=0))

    def add(_: int) -> None:
        with store.writing() as session:
            session.scalars(select(Worker.name)).all()
            session.execute(update(Worker).values(processes=Worker.processes + 1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(40)))
    with store.reading() as session:
        assert session.scalars(select(Worker.processes)).one() == 40


def test_a_long_reader_does_not_stop_a_writer(store: Store) -> None:
    """W11."""
    with store.reading() as session:
        assert session.scalars(select(Worker.name)).all() == []

        def write() -> None:
            with store.writing() as other:
                other.add(Worker(name="w", processes=1, seen_us=1))

        writer = threading.Thread(target=write)
        writer.start()
        writer.join(30)
        assert not writer.is_alive()
    with store.reading() as session:
        assert session.scalars(select(Worker.name)).all() == ["w"]


def test_public_ids_are_eighty_random_bits() -> None:
    ids = {new_public_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(one) == 16 and one.isalnum() and one == one.lower() for one in ids)
    assert len(set("".join(ids))) == 32


def test_sqlite_is_set_up_for_many_processes(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'a.sqlite3'}", pooled=False).reading() as session:
        connection = session.connection()
        values = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout")
        ]
    assert values == ["wal", 1, 20_000]

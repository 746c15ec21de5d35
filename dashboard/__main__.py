"""``python -m dashboard``: serve the pages with waitress until a signal ends it."""

import argparse
import signal
import sys
from collections.abc import Sequence

import waitress

from arena.embedded.ports import not_listening
from arena.settings import SettingsError, load_settings
from arena.store import schema
from arena.store.database import Store, StoreError
from dashboard.app import create_app

_THREADS = 16


def main(argv: Sequence[str] | None = None) -> int:
    """Serve the dashboard; return 2 where it cannot be started."""
    try:
        settings = load_settings()
        store = Store(settings.database_url)
        schema.check(store)
    except (SettingsError, StoreError) as error:
        print(f"dashboard: {error}", file=sys.stderr)  # noqa: T201 - a command speaks here
        return 2
    parser = argparse.ArgumentParser(prog="dashboard", description="Serve the pages of the arena.")
    parser.add_argument("--host", default=settings.host, help="address to listen on")
    parser.add_argument("--port", default=settings.port, type=int, help="0 takes a free one")
    given = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    try:
        server = waitress.create_server(
            create_app(store), host=given.host, port=given.port, threads=_THREADS, ident=None
        )
    except OSError as error:
        text = not_listening(given.host, given.port, error)
        print(f"dashboard: {text}", file=sys.stderr)  # noqa: T201
        return 2
    print(f"dashboard: http://{given.host}:{server.effective_port}/", flush=True)  # noqa: T201
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A real Chromium on a real server: the dashboard under waitress on a filled store."""

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import waitress
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, sync_playwright

from arena.store.database import Store
from arena.store.schema import upgrade
from dashboard.app import create_app
from tests.unit.dashboard.conftest import Arena, fill

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
PHONE: ViewportSize = {"width": 360, "height": 740}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A filled store."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('browser') / 'arena.sqlite3'}")
    upgrade(store)
    yield fill(store)
    store.close()


@pytest.fixture(scope="session")
def address(filled: Arena) -> Iterator[str]:
    """Where the dashboard listens."""
    server = waitress.create_server(create_app(filled.store), host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(30)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    if not os.access(CHROMIUM, os.X_OK):
        pytest.skip(f"no Chromium at {CHROMIUM}: install it with `apt-get install chromium`")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


class Tab:
    """A page with everything that its console said."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}"))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def open(self, path: str) -> Page:
        """Go to a page and wait until it is quiet."""
        self.page.goto(self.address + path, wait_until="networkidle")
        return self.page


@pytest.fixture
def tab(browser: Browser, address: str) -> Iterator[Tab]:
    """A tab at a desk."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield Tab(context.new_page(), address)
    context.close()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Tab]:
    """A tab 360 px wide, dark."""
    context = browser.new_context(viewport=PHONE, color_scheme="dark", has_touch=True)
    yield Tab(context.new_page(), address)
    context.close()

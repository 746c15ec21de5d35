"""Every page in Chromium: nothing is refused by the policy, nothing is wider than a phone."""

import pytest
from playwright.sync_api import Browser, expect

from arena.store import queries
from tests.browser.conftest import Tab
from tests.unit.dashboard.conftest import HOSTILE, Arena
from tests.unit.dashboard.played import play_with_bots

KINDS = (
    "home", "leagues", "finished", "running", "open", "hostile", "bots", "bot", "match",
    "forfeit", "playing", "replay", "api", "missing",
)  # fmt: skip


def path_of(arena: Arena, kind: str) -> str:
    """Return the address of a page by its kind."""
    done = arena.one(arena.finished, "done")
    forfeit = arena.one(arena.hostile, "done")
    return {
        "home": "/",
        "leagues": "/leagues",
        "finished": f"/leagues/{arena.finished}",
        "running": f"/leagues/{arena.running}",
        "open": f"/leagues/{arena.open}",
        "hostile": f"/leagues/{arena.hostile}",
        "bots": "/bots",
        "bot": f"/bots/{forfeit.players[0].bot_id}",
        "match": f"/matches/{done.id}",
        "forfeit": f"/matches/{forfeit.id}",
        "playing": f"/matches/{arena.one(arena.running, 'running').id}",
        "replay": f"/matches/{forfeit.id}/games/2/rounds/1#9",
        "api": "/api/v1",
        "missing": "/nope",
    }[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_breaks_the_policy_or_complains(tab: Tab, filled: Arena, kind: str) -> None:
    page = tab.open(path_of(filled, kind))
    if kind == "missing":
        tab.complaints = [c for c in tab.complaints if "404" not in c]
    assert tab.complaints == []
    assert page.evaluate("window.alerted === undefined")
    assert page.locator("h1, main strong").first.is_visible()


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_scrolls_sideways_at_360_pixels(phone: Tab, filled: Arena, kind: str) -> None:
    page = phone.open(path_of(filled, kind))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_breach_of_the_policy_would_be_noticed(tab: Tab) -> None:
    page = tab.open("/")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<i onclick=\"alert(1)\">x</i>')")
    page.locator("i").last.click()
    page.wait_for_timeout(200)
    assert any("Content Security Policy" in complaint for complaint in tab.complaints)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_read_as_text(tab: Tab, filled: Arena, name: str) -> None:
    page = tab.open(f"/leagues/{filled.hostile}")
    expect(page.locator("table.standings").get_by_text(name, exact=True)).to_be_visible()
    assert page.locator("main img").count() == 0
    assert tab.complaints == []


def test_dark_and_light_differ_and_both_have_contrast(browser: Browser, address: str) -> None:
    colours = "(style => [style.backgroundColor, style.color])(getComputedStyle(document.body))"
    seen = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
        page = context.new_page()
        page.goto(address)
        seen[scheme] = page.evaluate(colours)
        context.close()
    assert seen["light"] != seen["dark"]
    for back, front in seen.values():
        assert contrast(back, front) > 7


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two css colours (WCAG 2.2, 1.4.3)."""
    light, dark = sorted([luminance(first), luminance(second)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.strip("rgb()").split(",")]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_times_are_shown_in_the_readers_zone(browser: Browser, address: str, filled: Arena) -> None:
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}/leagues/{filled.finished}")
    expect(page.locator("[data-zone]")).to_contain_text("Asia/Tokyo")
    assert "UTC" not in page.locator("time").first.inner_text()
    context.close()


def test_progress_moves_without_reload_and_rests_while_hidden(tab: Tab, filled: Arena) -> None:
    page = tab.open(path_of(filled, "running"))
    page.evaluate("window.kept = true")
    ended = page.locator("[data-ended]")
    expect(ended).to_have_text("2")
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    play_with_bots(filled.store, matches=1)
    page.wait_for_timeout(2_500)
    expect(ended).to_have_text("2")
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: false, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(ended).to_have_text("3", timeout=20_000)
    assert page.evaluate("window.kept")
    with filled.store.reading() as session:
        progress = queries.progress(session, filled.running)
    assert progress is not None
    assert page.locator("progress").evaluate("bar => bar.value") == progress.ended


def test_a_score_stands_in_one_line_at_360_pixels(phone: Tab, filled: Arena) -> None:
    page = phone.open(path_of(filled, "match"))
    parts = page.locator(".score > div").all()
    boxes = [box for part in parts if (box := part.bounding_box())]
    assert len(boxes) == 3
    middles = [box["y"] + box["height"] / 2 for box in boxes]
    assert max(middles) - min(middles) < 2
    lefts = [box["x"] for box in boxes]
    assert lefts == sorted(lefts)

"""The replay by keyboard, by buttons, by slider, by link and by finger."""

from playwright.sync_api import Page, expect

from arena.notation.files import read_record
from arena.store import queries
from dashboard.replay import Replay, replay_round
from tests.browser.conftest import Tab
from tests.unit.dashboard.conftest import Arena


def replay_of(filled: Arena) -> tuple[str, Replay]:
    """Return the address of a round and what it must show."""
    match = filled.one(filled.finished, "done").id
    with filled.store.reading() as session:
        text = queries.match_record(session, match)
    assert text is not None
    replay = replay_round(read_record(text), 0, 1)
    assert replay is not None
    return f"/matches/{match}/games/1/rounds/1", replay


def shown(page: Page) -> tuple[int, str, list[int], int, str]:
    """Return step, text, cards of both hands, cards of the pile and the deadwood of the first."""
    hands = page.locator("[data-hand]")
    return (
        int(page.locator("[data-slider]").input_value()),
        page.locator("[data-action]").inner_text().strip(),
        [hands.nth(i).locator("svg.card").count() for i in (0, 1)],
        page.locator("[data-pile] svg.card").count(),
        page.locator("[data-deadwood]").first.inner_text(),
    )


def expected(replay: Replay, number: int) -> tuple[int, str, list[int], int, str]:
    step = replay.steps[number]
    counts = [len("".join(hand.melds) + hand.loose) // 2 for hand in step.hands]
    return number, step.text, counts, len(step.pile) // 2, step.hands[0].deadwood


def test_keys_step_to_both_ends(tab: Tab, filled: Arena) -> None:
    path, replay = replay_of(filled)
    page = tab.open(path)
    last = len(replay.steps) - 1
    assert shown(page) == expected(replay, 0)
    for number in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        assert shown(page) == expected(replay, number)
    page.keyboard.press("ArrowRight")
    assert shown(page) == expected(replay, last)
    page.keyboard.press("Home")
    assert shown(page) == expected(replay, 0)
    page.keyboard.press("End")
    assert shown(page) == expected(replay, last)
    page.keyboard.press("ArrowLeft")
    assert shown(page) == expected(replay, last - 1)
    assert page.url.endswith(f"#{last - 1}")
    assert tab.complaints == []


def test_buttons_slider_and_log_do_the_same(phone: Tab, filled: Arena) -> None:
    path, replay = replay_of(filled)
    page = phone.open(path)
    page.get_by_role("button", name="Step on").tap()
    assert shown(page) == expected(replay, 1)
    page.get_by_role("button", name="To the end").tap()
    assert shown(page) == expected(replay, len(replay.steps) - 1)
    expect(page.get_by_role("button", name="Step on")).to_be_disabled()
    page.get_by_role("button", name="Step back").tap()
    assert shown(page) == expected(replay, len(replay.steps) - 2)
    page.get_by_role("button", name="To the deal").tap()
    page.locator("[data-slider]").fill("4")
    assert shown(page) == expected(replay, 4)
    page.locator("[data-log] a").nth(6).tap()
    assert shown(page) == expected(replay, 6)
    assert page.url.endswith("#6")
    assert page.locator("[data-log] [aria-current=step]").count() == 1


def test_a_link_with_a_step_opens_there_with_the_table_in_view(tab: Tab, filled: Arena) -> None:
    path, replay = replay_of(filled)
    page = tab.open(f"{path}#7")
    assert shown(page) == expected(replay, 7)
    assert page.evaluate("window.scrollY") < 50
    page.evaluate("location.hash = '#3'")
    expect(page.locator("[data-slider]")).to_have_value("3")
    assert shown(page) == expected(replay, 3)


def test_nonsense_steps_are_brought_into_range(tab: Tab, filled: Arena) -> None:
    path, replay = replay_of(filled)
    assert shown(tab.open(f"{path}#99999")) == expected(replay, len(replay.steps) - 1)
    tab.page.goto("about:blank")
    assert shown(tab.open(f"{path}#%3Cimg%3E")) == expected(replay, 0)
    assert tab.complaints == []


def test_space_plays_to_the_end_and_pauses(tab: Tab, filled: Arena) -> None:
    path, replay = replay_of(filled)
    page = tab.open(path)
    page.locator("[data-speed]").select_option("250")
    page.locator("h1").click()
    play = page.get_by_role("button", name="Play")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-slider]")).not_to_have_value("0")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-pressed", "false")
    paused = shown(page)
    page.wait_for_timeout(600)
    assert shown(page) == paused
    page.keyboard.press("Space")
    expect(page.locator("[data-slider]")).to_have_value(str(len(replay.steps) - 1), timeout=60_000)
    expect(play).to_have_attribute("aria-pressed", "false")


def test_cards_are_painted_and_named(tab: Tab, filled: Arena) -> None:
    path, _ = replay_of(filled)
    page = tab.open(path)
    page.keyboard.press("End")
    cards = page.locator("[data-hand] svg.card")
    names = [cards.nth(i).get_attribute("aria-label") or "" for i in range(cards.count())]
    assert all(" of " in name for name in names)
    assert len(set(names)) == len(names) >= 20
    assert page.locator("[data-action]").get_attribute("aria-live") == "polite"
    box = cards.last.bounding_box()
    assert box is not None
    assert box["width"] > 50
    assert page.evaluate(
        """async () => {
          const use = document.querySelector('[data-hand] use');
          const [file, card] = use.getAttribute('href').split('#');
          return (await (await fetch(file)).text()).includes(`<symbol id="${card}"`);
        }"""
    )


def test_four_colours_are_kept(tab: Tab, filled: Arena) -> None:
    path, _ = replay_of(filled)
    page = tab.open(path)
    page.get_by_label("Four colours").check()
    red = page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--suit-red').trim()"
    )
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--suit-d').trim()"
    assert page.evaluate(colour) != red
    page.reload()
    assert page.evaluate(colour) != red
    expect(page.get_by_label("Four colours")).to_be_checked()

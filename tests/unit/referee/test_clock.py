import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.clock import BEAT_US, BotClock, SteadyClock


def charging(now: int = 0) -> BotClock:
    clock = BotClock(now)
    clock.charging = True
    return clock


def test_r10_5_one_decision_is_charged_all_the_time_that_passes() -> None:
    clock = charging()
    clock.start(1, 1_000)
    clock.advance(400)
    assert clock.charged(1) == 400
    clock.advance(700)
    assert clock.stop(1) == 700


def test_r10_5_each_of_k_decisions_is_charged_one_kth() -> None:
    clock = charging()
    for decision in range(4):
        clock.start(decision, 1_000)
    clock.advance(400)
    assert [clock.stop(decision) for decision in range(4)] == [100] * 4


def test_r10_5_the_share_changes_with_the_number_outstanding() -> None:
    clock = charging()
    clock.start(1, 10_000)
    clock.advance(100)
    clock.start(2, 10_000)
    clock.advance(300)
    assert clock.stop(1) == 100 + 100
    clock.advance(350)
    assert clock.stop(2) == 100 + 50


def test_r10_5_nothing_is_charged_before_the_first_answer() -> None:
    clock = BotClock(0)
    clock.start(1, 1_000)
    clock.advance(9_000_000)
    assert clock.next_end() is None
    assert clock.empty() == []
    clock.charging = True
    clock.advance(9_000_200)
    assert clock.stop(1) == 200


def test_time_while_nothing_is_outstanding_is_not_charged() -> None:
    clock = charging()
    clock.advance(5_000)
    clock.start(1, 1_000)
    clock.advance(5_100)
    assert clock.stop(1) == 100


@pytest.mark.parametrize(
    ("banks", "end", "first"),
    [((500,), 500, [0]), ((500, 900), 1000, [0]), ((900, 500), 1000, [1]), ((50, 50), 100, [0, 1])],
)
def test_r10_5_the_first_empty_bank_is_foretold(
    banks: tuple[int, ...], end: int, first: list[int]
) -> None:
    clock = charging()
    for decision, bank in enumerate(banks):
        clock.start(decision, bank)
    assert clock.next_end() == end + 1
    clock.advance(end - 1)
    assert clock.empty() == []
    clock.advance(end)
    assert clock.empty() == first


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 10_000)), max_size=60))
def test_r10_5_all_charges_sum_to_the_time_the_bot_was_busy(steps: list[tuple[int, int]]) -> None:
    clock, now, busy, total = charging(), 0, 0, 0
    outstanding: set[int] = set()
    for decision, pause in steps:
        if decision in outstanding:
            outstanding.remove(decision)
            total += clock.stop(decision)
        else:
            outstanding.add(decision)
            clock.start(decision, 1_000_000)
        now += pause
        busy += pause if outstanding else 0
        clock.advance(now)
    total += sum(clock.stop(decision) for decision in sorted(outstanding))
    assert abs(total - busy) <= len(steps)


class Hands:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.mark.parametrize(
    ("passed", "excused"),
    [
        (0, 0),
        (BEAT_US, 0),
        (BEAT_US + 50_000, 0),
        (BEAT_US + 50_001, 50_001),
        (BEAT_US + 3_000_000, 3_000_000),
    ],
)
def test_r10_5_a_lag_over_50_ms_is_never_charged(passed: int, excused: int) -> None:
    hands = Hands()
    clock = SteadyClock(hands, 50_000)
    hands.now += passed
    assert clock() == 1_000_000 + passed - excused
    assert clock.lag_us == excused
    assert clock.last == 1_000_000 + passed - excused


def test_r10_5_no_reading_takes_back_time_handed_out_before() -> None:
    hands = Hands()
    clock = SteadyClock(hands, 50_000)
    hands.now += 70_000
    assert clock() == 1_070_000
    hands.now += 10_000
    assert clock() == 1_070_000
    hands.now += 20_000
    assert clock() == 1_090_000


@pytest.mark.parametrize("seed", range(20))
def test_r10_5_readings_never_fall_whatever_the_lags(seed: int) -> None:
    chance = random.Random(seed)
    hands = Hands()
    clock = SteadyClock(hands, 50_000)
    readings = []
    for _ in range(500):
        hands.now += chance.choice((0, 10, 9_000, 40_000, 60_000, 2_000_000))
        readings.append(clock())
    assert readings == sorted(readings)
    assert clock.lag_us > 0

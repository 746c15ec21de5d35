"""The wire's benchmark: real processes, every part of a decision accounted for."""

from arena.bench import wire


def test_the_parts_of_a_decision_add_up_to_the_whole() -> None:
    figures = wire.figures(size=4, runs=1, on_run=lambda _: None)
    cpu = {f.name: f.value for f in figures if f.unit == "µs of CPU a decision"}
    for side, whole in (("referee: ", "the referee's process"), ("bot: ", "both bots' processes")):
        parts = [value for name, value in cpu.items() if name.startswith(side)]
        assert abs(sum(parts) - cpu[whole]) < 1e-6 * cpu[whole]
    assert cpu["referee: apply"] > 0
    one = next(f for f in figures if f.name == "one table at a time" and f.ratios)
    assert one.reference == "bare streamed ping-pong"
    batches = next(f for f in figures if f.unit == "decisions a batch")
    assert batches.value >= 1

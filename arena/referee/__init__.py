"""The referee: asks the bots, keeps the clocks, rules on faults (R10)."""

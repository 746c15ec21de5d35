"""The wire: the referee's player port over gRPC, and the server that a bot runs."""

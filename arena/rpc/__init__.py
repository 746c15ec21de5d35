"""The wire: the referee's player port over gRPC, and the server that a bot runs."""

import os

# gRPC's core writes to stderr whenever a peer goes away; what matters of that is an error here.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

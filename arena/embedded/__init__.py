"""The arena on one machine: a Redis-protocol server, worker, scheduler, dashboard and bots."""

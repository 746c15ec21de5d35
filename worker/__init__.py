"""The processes that move matches on: workers that play them, the scheduler that queues them."""

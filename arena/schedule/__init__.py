"""Schedules: which bots meet, on which boards, in which seats, with which time control."""

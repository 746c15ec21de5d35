"""Ratings as pure functions of facts: a joint fit for leagues, plain intervals for one match."""

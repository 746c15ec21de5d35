"""Reads for pages, the API and the command line; every function takes a reading session first."""

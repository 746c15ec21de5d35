"""League bundles: one archive of a finished league, which proves and rates itself offline.

`archive` reads and writes parts, `league` their values, `proof` checks them, `rating` rates again.
None of these needs a database; `exporting` and `importing` do.
"""

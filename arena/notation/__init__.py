"""The text of actions, the record of a match, and its replay."""

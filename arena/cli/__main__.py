"""`python -m arena.cli`: the command line without its script."""

import sys

from arena.cli import main

sys.exit(main())

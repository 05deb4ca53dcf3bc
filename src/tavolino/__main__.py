"""`python -m tavolino` is the command `tavolino`."""

import sys

from tavolino.cli import main

sys.exit(main())

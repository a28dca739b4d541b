"""`python -m sandtable` is the `sandtable` command."""

import sys

from sandtable.cli import main

sys.exit(main())

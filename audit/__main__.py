"""`python -m audit FILE`."""

import sys

from audit.command import main

sys.exit(main())

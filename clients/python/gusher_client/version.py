"""Which client this is."""

from __future__ import annotations

VERSION = "0.1.0"
AGENT = f"gusher-client/{VERSION} (Python)"

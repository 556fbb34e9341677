"""Can a stranger check it? `gusher audit FILE` checks an exported log with nothing but the log and public keys.

| module        | what it checks (log format, section 6)                                      |
|---------------|-----------------------------------------------------------------------------|
| `reading`     | lines: header, bodies, disclosures, note                                    |
| `links`       | 1 hash, `prev`, `seq`, game, time                                           |
| `form`        | 2 canonical form, envelope, words and their sealed fields                   |
| `disclosing`  | 3 disclosures against digests, and to whom                                  |
| `notes`       | 4 signed head, receipts                                                     |
| `folding`     | 5 the fold                                                                  |
| `chance`      | 6 the commitment, the ranges; outcomes are recomputed in `moves`            |
| `moves`       | 7 every command decided again                                               |
| `result`      | 8 result and scores                                                         |
| `typed`       | the short way through 1, 2, 3 and 6, for entries that are as they should be |

`run` puts them in order, `report` keeps what they find, `telling` says it, `command` is the command line, `many` takes
files and folders on all cores. `docs/verifier` has a second verifier, which knows the format and no rules.
"""

from audit.report import Finding, Report
from audit.telling import tell
from audit.ways_in import audit_file, audit_lines

__all__ = ["Finding", "Report", "audit_file", "audit_lines", "tell"]

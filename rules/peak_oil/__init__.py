"""Peak Oil: table of contents, in the order of the rulebook.

| module                  | chapter                                                   | rules            |
|-------------------------|-----------------------------------------------------------|------------------|
| `setup`                 | configuration, set-up                                     | PO-001 … PO-037  |
| `turn`, `third_step`    | turns and their three steps                               | PO-050 … PO-062  |
| `reassign`              | reassigning an agent                                      | PO-063 … PO-075  |
| `spots`, `action`       | standing, declaring and ending an action                  | PO-080 … PO-095  |
| `bag`                   | pulling and searching                                     | PO-100 … PO-115  |
| `crisis`                | PR Crises                                                 | PO-120 … PO-131  |
| `market`                | the Black Market                                          | PO-140 … PO-147  |
| `expand`                | Recruit, Dispatch                                         | PO-150 … PO-160  |
| `develop`               | Drill, Whitewash, the displays                            | PO-165 … PO-176  |
| `invest`                | Start-Ups, Technologies                                   | PO-180 … PO-187  |
| `grey_ops`              | entry barrel, Black Market, Consultants                   | PO-195 … PO-204  |
| `shipping`              | shipping from a Region                                    | PO-210 … PO-223  |
| `security`              | Security chips                                            | PO-230 … PO-237  |
| `trigger`, `endgame`    | Peak Oil, final reassigns, the Peak Oil phase             | PO-245 … PO-266  |
| `scoring`               | scoring                                                   | PO-270 … PO-277  |
| `crude`                 | the Crude rules                                           | PO-300 … PO-321  |
| `leaving`               | resignation, deadlines                                    | PO-360 … PO-366  |
| `options`               | the legal answers to each question                        | PO-370           |
| `effects`, `hooks`      | what Consultants and PR Crisis cards alter, and where     | register 6.9     |
| `edition`               | cards, chips, routes and numbers, checked                 |                  |
| `rulebook`, `book`      | the rules in force, the variants                          |                  |

Order of a turn: step 1 (reassign or act), step 2 (reassign), step 3 (reassign for a price).
"""

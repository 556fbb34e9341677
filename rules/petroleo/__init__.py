"""Petróleo: table of contents, in the order of the register.

| module        | chapter                                                        | rules           |
|---------------|----------------------------------------------------------------|-----------------|
| `setup`       | companies, money, deck, deal                                   | PT-001 … PT-017 |
| `turn`        | order of a turn, drawing, laying                               | PT-020 … PT-037 |
| `year_end`    | movement and annual profits                                    | PT-040 … PT-056 |
| `plots`       | licence, tower, reservoir                                      | PT-060 … PT-076 |
| `privileges`  | what a laid card lets one buy                                  | PT-080 … PT-093 |
| `auction`     | selling a privilege                                            | PT-100 … PT-115 |
| `partnership` | buying a tanker alone, with a rival, with the bank             | PT-120 … PT-132 |
| `tankers`     | dissolving a partnership, dealing with the bank                | PT-133 … PT-146 |
| `squares`     | the twenty squares, doubling                                   | PT-150 … PT-187, PT-240 … PT-245 |
| `state_half`  | nationalisation                                                | PT-220 … PT-228 |
| `payments`    | charges, debts                                                 | PT-250 … PT-265, PT-288 |
| `leaving`     | bankruptcy and resignation                                     | PT-266 … PT-279 |
| `bank`        | what the bank pays, and how it borrows                         | PT-280 … PT-289 |
| `ending`      | the final account                                              | PT-300 … PT-309 |
| `options`     | the legal answers to each question                             |                 |
| `edition`     | cards, tracks and numbers, checked                             |                 |

Information (PT-320 … PT-324) is in the marks of `events/petroleo/` and in `projections/petroleo/view.py`;
what a deadline answers in place of a company is in `deadlines`.

Order of a turn: resolve the marker's square, draw, lay a card, use it, advance the marker, end (`turn.turn`).
"""

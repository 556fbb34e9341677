"""Oil and Gas: table of contents, in the order of the rulebook.

| module          | chapter                                             | rules          |
|-----------------|-----------------------------------------------------|----------------|
| `rulebook`      | the rules in force, options, set-up                 | OG-01 … OG-11  |
| `turn`          | the ten phases, standing finishes                   | OG-12 … OG-22  |
| `deck`          | draw deck, discard pile, reshuffle                  | OG-23 … OG-32  |
| `company`       | Company Phase                                       | OG-33 … OG-46  |
| `market`        | Market Phase                                        | OG-47 … OG-64  |
| `event_phase`   | Event Phase: roll-off, goes, passing                | OG-65 … OG-89  |
| `event_effects` | Event Phase: what each card does                    | OG-90 … OG-109 |
| `conversions`   | Explore to Production Phase                         | OG-110 … OG-132|
| `melds`         | Profit Phase                                        | OG-133 … OG-153|
| `ending`        | victory, standings, resignation, absence            | OG-154 … OG-188|
| `options`       | the legal answers to each question                  |                |
| `edition`       | cards and numbers, checked                          |                |

Order of a turn: company, market, event, explore, drill, transport, refining, gasoline, production, profit.
"""

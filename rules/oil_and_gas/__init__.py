"""Oil and Gas: table of contents, in the order of the rulebook.

| module          | chapter                                              | rules                     |
|-----------------|------------------------------------------------------|---------------------------|
| `rulebook`      | which function answers what; the ruleset on offer    | the engine's: OG-167 …    |
| `setup`         | set-up                                               | OG-01 … OG-11             |
| `turn`          | the ten phases: opening, finishing, closing          | OG-12 … OG-22, OG-177     |
| `order`         | who is asked: order of play, standing finishes       | OG-67 … OG-71, OG-179     |
| `deck`          | draw deck, discard pile, reshuffle                   | OG-23 … OG-32             |
| `company`       | Company Phase                                        | OG-33 … OG-46             |
| `market`        | Market Phase                                         | OG-47 … OG-64             |
| `event_phase`   | Event Phase: roll-off, goes, passing                 | OG-65 … OG-89             |
| `event_effects` | Event Phase: what the cards do                       | OG-90 … OG-109            |
| `conversions`   | Explore to Production Phase                          | OG-110 … OG-132           |
| `melds`         | Profit Phase                                         | OG-133 … OG-153           |
| `ending`        | victory, standings, the end                          | OG-154 … OG-166, OG-188   |
| `leaving`       | resignation, absence                                 | OG-181, OG-182, OG-186    |
| `hands`         | what a command names as one's own                    |                           |
| `shapes`        | words that no game knows                             |                           |
| `options`       | the legal answers to each question                   |                           |
| `edition`       | cards and numbers, checked                           |                           |

Order of a turn: company, market, event, explore, drill, transport, refining, gasoline, production, profit.
Chance, by label: `shuffle/<index>`, `rolloff/<turn>/<round>/<seat>`, `explore/<turn>/<seat>/<ordinal>` and `drill/…`,
`steal/<turn>/<play>/<victim>` and `wars/…`, `auto_discard/<turn>/<seat>`. Turns count from 1, all else from 0.
"""

-- Results are listed by the moment of their last word, newest first.
CREATE INDEX results_by_moment ON results (at, game_id);
CREATE INDEX results_by_ruleset ON results (ruleset, at, game_id);

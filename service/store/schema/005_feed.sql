-- The feed across games: every entry once, numbered without gaps, the entries of a game in their order. Not unique in
-- (game_id, seq): where a superuser deleted entries and the game went on, others have their numbers, and are fed too.
CREATE TABLE feed (
    pos     bigint PRIMARY KEY,
    game_id uuid   NOT NULL,
    seq     bigint NOT NULL
);

-- The one row that a sequencer holds while it works. `epoch` counts holders: who has an older one is deposed.
CREATE TABLE feed_sequencer (
    one     boolean     PRIMARY KEY DEFAULT true CHECK (one),
    epoch   bigint      NOT NULL DEFAULT 0,
    last    bigint      NOT NULL DEFAULT 0,
    expires timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO feed_sequencer DEFAULT VALUES;

-- How far each reader is. It moves in the transaction of the rows that the reader writes.
CREATE TABLE feed_readers (
    name text   PRIMARY KEY,
    pos  bigint NOT NULL DEFAULT 0
);

-- What a reader could not digest: set aside, so that the rest goes on.
CREATE TABLE feed_parked (
    reader    text        NOT NULL,
    pos       bigint      NOT NULL,
    game_id   uuid        NOT NULL,
    seq       bigint      NOT NULL,
    error     text        NOT NULL,
    parked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (reader, pos)
);

GRANT SELECT, INSERT ON feed TO gusher_app;
GRANT SELECT, UPDATE ON feed_sequencer TO gusher_app;
GRANT SELECT, INSERT, UPDATE ON feed_readers TO gusher_app;
GRANT SELECT, INSERT, DELETE ON feed_parked TO gusher_app;

-- How games ended, as the feed tells it: ratings and tables of honour count these, and a verdict changes them.
CREATE TABLE results (
    game_id   uuid   PRIMARY KEY,
    ruleset   text   NOT NULL,
    outcome   text   NOT NULL CHECK (outcome IN ('finished', 'aborted', 'annulled')),
    reason    text   NOT NULL,
    winners   int[]  NOT NULL,
    standings jsonb  NOT NULL,
    scores    jsonb  NOT NULL,
    corrected boolean NOT NULL,
    at        bigint NOT NULL,
    seq       bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON results TO gusher_app;

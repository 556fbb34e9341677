-- Games are suspended and annulled; what a dispute needs beside the log.
ALTER TABLE games DROP CONSTRAINT games_status_check;
ALTER TABLE games ADD CONSTRAINT games_status_check
    CHECK (status IN ('lobby', 'running', 'suspended', 'finished', 'aborted', 'annulled'));
ALTER TABLE games ADD COLUMN on_dispute text NOT NULL DEFAULT 'go_on' CHECK (on_dispute IN ('go_on', 'suspend'));

-- The auditor of one dispute reads with a token that is good for nothing else.
ALTER TABLE tokens ADD COLUMN dispute int;

-- Each time somebody read a game with everything opened: the players may see this.
CREATE TABLE dispute_reads (
    game_id uuid   NOT NULL,
    dispute int    NOT NULL,
    id      uuid   NOT NULL,
    token   uuid   NOT NULL,
    version bigint NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (game_id, id)
);
GRANT SELECT, INSERT ON dispute_reads TO gusher_app;

-- What-if copies of games. Not the log, and nothing that anybody relies on: the table may be emptied or dropped and made
-- again at any time, so it is not even written to the write-ahead log.
CREATE UNLOGGED TABLE branches (
    game_id     uuid   NOT NULL,
    id          uuid   NOT NULL,
    owner       uuid   NOT NULL,
    fingerprint bytea  NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint NOT NULL,
    version     bigint NOT NULL,
    content     bytea  NOT NULL,
    PRIMARY KEY (game_id, id)
);
CREATE INDEX branches_by_owner ON branches (owner, created_at, id);
CREATE INDEX branches_by_expiry ON branches (expires_at);

GRANT SELECT, INSERT, UPDATE (version, content), DELETE ON branches TO gusher_app;

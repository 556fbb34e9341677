-- Persons and programs, and what they may do. Nothing of this is ever in a log.
CREATE TABLE accounts (
    id         uuid   PRIMARY KEY,
    name       text   NOT NULL UNIQUE,
    kind       text   NOT NULL,
    created_at bigint NOT NULL
);

-- Only the hash of a token is kept; whoever reads this table can use none of them.
CREATE TABLE tokens (
    id          uuid    PRIMARY KEY,
    account     uuid    NOT NULL REFERENCES accounts (id),
    secret_hash bytea   NOT NULL UNIQUE,
    scopes      text[]  NOT NULL,
    label       text    NOT NULL,
    created_at  bigint  NOT NULL,
    game_id     uuid,
    seat        int,
    read_only   boolean NOT NULL,
    expires_at  bigint,
    revoked_at  bigint
);
CREATE INDEX tokens_by_account ON tokens (account, created_at);

GRANT SELECT, INSERT ON accounts TO gusher_app;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON tokens TO gusher_app;

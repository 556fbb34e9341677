-- What is known about games beside their logs. `status` changes in the transaction of the entry that changes it.
CREATE TABLE games (
    id          uuid   PRIMARY KEY,
    created_by  uuid   NOT NULL,
    command_id  uuid   NOT NULL,
    fingerprint bytea  NOT NULL,
    ruleset     text   NOT NULL,
    edition     text   NOT NULL,
    visibility  text   NOT NULL CHECK (visibility IN ('public', 'private')),
    seats       int    NOT NULL,
    created_at  bigint NOT NULL,
    status      text   NOT NULL CHECK (status IN ('lobby', 'running', 'finished', 'aborted')),
    UNIQUE (created_by, command_id)
);
-- Lists are by id, newest first: a UUIDv7 begins with its time.
CREATE INDEX games_by_status ON games (status, id);
CREATE INDEX games_by_ruleset ON games (ruleset, status, id);

-- Apart from everything a question about games can touch.
CREATE TABLE secrets (
    game_id     uuid  PRIMARY KEY,
    server_seed bytea NOT NULL CHECK (octet_length(server_seed) = 32)
);

CREATE TABLE players (
    game_id uuid NOT NULL,
    seat    int  NOT NULL,
    account uuid,
    bot     text,
    PRIMARY KEY (game_id, seat),
    CHECK (num_nonnulls(account, bot) = 1)
);
CREATE INDEX players_by_account ON players (account, game_id);
CREATE INDEX players_of_the_house ON players (game_id) WHERE bot IS NOT NULL;

CREATE TABLE invitations (
    game_id    uuid    NOT NULL,
    id         uuid    NOT NULL,
    code_hash  bytea   NOT NULL,
    created_by uuid    NOT NULL,
    created_at bigint  NOT NULL,
    seat       int,
    used_by    uuid,
    revoked    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (game_id, id),
    UNIQUE (game_id, code_hash)
);

GRANT SELECT, INSERT, UPDATE (status) ON games TO gusher_app;
GRANT SELECT, INSERT ON secrets TO gusher_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON players TO gusher_app;
GRANT SELECT, INSERT, UPDATE (used_by, revoked) ON invitations TO gusher_app;

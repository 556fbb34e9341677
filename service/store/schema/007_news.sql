-- What concerns an account, in the order of the feed: at most one row for each entry. Written by the feed's reader.
CREATE TABLE news (
    account uuid   NOT NULL,
    pos     bigint NOT NULL,
    game_id uuid   NOT NULL,
    seq     bigint NOT NULL,
    at      bigint NOT NULL,
    what    text[] NOT NULL,
    seats   int[]  NOT NULL,
    PRIMARY KEY (account, pos)
);
-- For tokens that are good for one game only.
CREATE INDEX news_of_game ON news (account, game_id, pos);
GRANT SELECT, INSERT, DELETE ON news TO gusher_app;

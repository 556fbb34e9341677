-- Which processes append, and the board that each tells of its entries on. A worker trusts its board only while nobody
-- appends who has another one: service/store/board.py.
CREATE TABLE boards (
    worker  uuid        PRIMARY KEY,
    board   uuid        NOT NULL,
    seen_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (seen_at), DELETE ON boards TO gusher_app;

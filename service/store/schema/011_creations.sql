-- Which account created which game by which command: once each. Apart from the games, because past one machine a table
-- is unique only by what it lies by: games lie by their ids, creations by their accounts.
CREATE TABLE creations (
    created_by uuid NOT NULL,
    command_id uuid NOT NULL,
    game_id    uuid NOT NULL,
    PRIMARY KEY (created_by, command_id)
);
INSERT INTO creations (created_by, command_id, game_id) SELECT created_by, command_id, id FROM games;
ALTER TABLE games DROP CONSTRAINT games_created_by_command_id_key;

GRANT SELECT, INSERT ON creations TO gusher_app;

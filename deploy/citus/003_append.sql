-- The append on the game's own node, in one round trip: does it follow, then the entry and its place in the queue for
-- the feed. Three statements by the key; in one statement they are planned anew each time and cost three times as much.
CREATE FUNCTION append_move(
    game uuid, entry bigint, command uuid, print bytea, before bytea, head bytea, said bytea, closed json
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM moves WHERE game_id = game AND seq = entry - 1 AND hash = before;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO moves (game_id, seq, command_id, fingerprint, hash, body, sealed)
    VALUES (game, entry, command, print, head, said, closed)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO feed_pending (game_id, seq) VALUES (game, entry) ON CONFLICT DO NOTHING;
    RETURN true;
END
$$;
SELECT create_distributed_function(
    'append_move(uuid, bigint, uuid, bytea, bytea, bytea, bytea, json)', 'game', colocate_with => 'moves'
);

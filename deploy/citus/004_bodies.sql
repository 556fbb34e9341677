-- The bodies of entries, from the nodes that the games lie on.
CREATE OR REPLACE FUNCTION bodies_of(games uuid[], entries bigint[])
RETURNS TABLE (game_id uuid, seq bigint, body bytea) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT m.game_id, m.seq, m.body
        FROM unnest(games, entries) AS w (game, entry) JOIN moves m ON m.game_id = w.game AND m.seq = w.entry
        WHERE m.game_id = ANY (games);
END
$$;

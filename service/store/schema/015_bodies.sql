-- The bodies of entries, each by its key. A function, because past one machine it must be asked otherwise: there the
-- games by themselves say which nodes to ask, and here, said again for each entry, they made it a hundred times dearer.
CREATE FUNCTION bodies_of(games uuid[], entries bigint[]) RETURNS TABLE (game_id uuid, seq bigint, body bytea)
LANGUAGE sql STABLE AS $$
    SELECT m.game_id, m.seq, m.body
    FROM unnest(games, entries) AS w (game, entry) JOIN moves m ON m.game_id = w.game AND m.seq = w.entry
$$;

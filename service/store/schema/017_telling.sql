-- News are told as before, but who sits there is found for all entries at once: past one machine each statement asks every
-- node, whatever it asks for. The entries and who sits there are joined by a hash, which the service else does without.
CREATE OR REPLACE FUNCTION tell_news(places bigint[], games_told uuid[], entries bigint[], moments bigint[],
                                     words text[], seats_asked text[], asks text, channel text)
RETURNS void LANGUAGE plpgsql SET enable_hashjoin = on AS $$
DECLARE
    concerned uuid[];
BEGIN
    WITH sits AS (
        SELECT p.game_id, p.account, p.seat FROM players p
        WHERE p.game_id = ANY (games_told) AND p.account IS NOT NULL
        UNION ALL SELECT g.id, g.created_by, NULL FROM games g WHERE g.id = ANY (games_told)
    ), told AS (
        SELECT pos, game_id, seq, at, string_to_array(said, ' ') AS what, string_to_array(seats, ' ')::int[] AS asked
        FROM unnest(places, games_told, entries, moments, words, seats_asked) AS t (pos, game_id, seq, at, said, seats)
    ), concerns AS (
        SELECT s.account, t.pos, t.game_id, t.seq, t.at, t.what,
               coalesce(array_agg(s.seat ORDER BY s.seat) FILTER (WHERE s.seat = ANY (t.asked)), '{}') AS seats
        FROM told t JOIN sits s ON s.game_id = t.game_id
        GROUP BY s.account, t.pos, t.game_id, t.seq, t.at, t.what
    ), added AS (
        INSERT INTO news (account, pos, game_id, seq, at, what, seats)
        SELECT account, pos, game_id, seq, at, CASE WHEN cardinality(seats) > 0 THEN what || asks ELSE what END, seats
        FROM concerns WHERE cardinality(seats) > 0 OR cardinality(what) > 0
        ON CONFLICT DO NOTHING RETURNING account
    )
    SELECT array_agg(DISTINCT account) INTO concerned FROM added;
    PERFORM pg_notify(channel, string_agg(account::text, ' '))
    FROM (SELECT account, row_number() OVER () / 200 AS part FROM unnest(concerned) AS account) AS numbered
    GROUP BY part;
END
$$;

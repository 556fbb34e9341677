-- Tells entries to the accounts they concern, in one round trip: who sits at the table, or made it, is told; who is asked
-- is asked, by the word `asks`. Accounts for which there are news are named on the channel; a notification has room for
-- 8,000 bytes. Words and seats of an entry are one text, with spaces between.
CREATE FUNCTION tell_news(places bigint[], games_told uuid[], entries bigint[], moments bigint[], words text[],
                          seats_asked text[], asks text, channel text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    concerned uuid[];
BEGIN
    WITH told AS (
        SELECT pos, game_id, seq, at, string_to_array(said, ' ') AS what, string_to_array(seats, ' ')::int[] AS asked
        FROM unnest(places, games_told, entries, moments, words, seats_asked) AS t (pos, game_id, seq, at, said, seats)
    ), added AS (
        INSERT INTO news (account, pos, game_id, seq, at, what, seats)
        SELECT w.account, t.pos, t.game_id, t.seq, t.at,
               CASE WHEN cardinality(w.seats) > 0 THEN t.what || asks ELSE t.what END, w.seats
        FROM told t CROSS JOIN LATERAL (
            SELECT s.account,
                   coalesce(array_agg(s.seat ORDER BY s.seat) FILTER (WHERE s.seat = ANY (t.asked)), '{}') AS seats
            FROM (
                SELECT p.account, p.seat FROM players p WHERE p.game_id = t.game_id AND p.account IS NOT NULL
                UNION ALL SELECT g.created_by, NULL FROM games g WHERE g.id = t.game_id
            ) AS s
            GROUP BY s.account
        ) AS w
        WHERE cardinality(w.seats) > 0 OR cardinality(t.what) > 0
        ON CONFLICT DO NOTHING RETURNING account
    )
    SELECT array_agg(DISTINCT account) INTO concerned FROM added;
    PERFORM pg_notify(channel, string_agg(account::text, ' '))
    FROM (SELECT account, row_number() OVER () / 200 AS part FROM unnest(concerned) AS account) AS numbered
    GROUP BY part;
END
$$;

-- The same, entry by entry: who is concerned is asked of the game's node, news go to the accounts' nodes. As one
-- statement over all nodes it would be planned anew each time, and wait for each of them.
CREATE OR REPLACE FUNCTION tell_news(places bigint[], games_told uuid[], entries bigint[], moments bigint[],
                                     words text[], seats_asked text[], asks text, channel text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    whom      uuid;
    seats     int[];
    what      text[];
    concerned uuid[] := '{}';
BEGIN
    FOR number IN 1 .. cardinality(places) LOOP
        what := string_to_array(words[number], ' ');
        FOR whom, seats IN
            SELECT s.account, coalesce(array_agg(s.seat ORDER BY s.seat)
                FILTER (WHERE s.seat = ANY (string_to_array(seats_asked[number], ' ')::int[])), '{}')
            FROM (
                SELECT p.account, p.seat FROM players p WHERE p.game_id = games_told[number] AND p.account IS NOT NULL
                UNION ALL SELECT g.created_by, NULL FROM games g WHERE g.id = games_told[number]
            ) AS s
            GROUP BY s.account
        LOOP
            CONTINUE WHEN cardinality(seats) = 0 AND cardinality(what) = 0;
            INSERT INTO news (account, pos, game_id, seq, at, what, seats)
            VALUES (whom, places[number], games_told[number], entries[number], moments[number],
                    CASE WHEN cardinality(seats) > 0 THEN what || asks ELSE what END, seats)
            ON CONFLICT DO NOTHING;
            IF FOUND THEN
                concerned := concerned || whom;
            END IF;
        END LOOP;
    END LOOP;
    PERFORM pg_notify(channel, string_agg(account::text, ' '))
    FROM (
        SELECT account, row_number() OVER () / 200 AS part FROM (SELECT DISTINCT unnest(concerned) AS account) AS once
    ) AS numbered
    GROUP BY part;
END
$$;

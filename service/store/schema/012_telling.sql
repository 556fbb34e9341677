-- Tells an entry to the accounts it concerns, in one round trip: who sits at the table, or made it, is told; who is asked
-- is asked. Each account for which there are news is notified on the channel.
CREATE FUNCTION tell_news(place bigint, game uuid, entry bigint, said_at bigint, said text[], asked int[], asks text,
                          channel text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    concerned uuid;
    theirs    int[];
BEGIN
    FOR concerned, theirs IN
        SELECT account, coalesce(array_agg(seat ORDER BY seat) FILTER (WHERE seat = ANY (asked)), '{}')
        FROM (
            SELECT p.account, p.seat FROM players p WHERE p.game_id = game AND p.account IS NOT NULL
            UNION ALL SELECT g.created_by, NULL FROM games g WHERE g.id = game
        ) seated
        GROUP BY account
    LOOP
        CONTINUE WHEN cardinality(theirs) = 0 AND cardinality(said) = 0;
        INSERT INTO news (account, pos, game_id, seq, at, what, seats)
        VALUES (concerned, place, game, entry, said_at,
                CASE WHEN cardinality(theirs) > 0 THEN said || asks ELSE said END, theirs)
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            PERFORM pg_notify(channel, concerned::text);
        END IF;
    END LOOP;
END
$$;

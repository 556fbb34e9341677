-- An entry in less room. What the bytes went to, and what each of these saves: docs/decisions/0004.
-- In a block, since Citus sends what changes a table to its nodes with all that was said in the same breath.
DO $$
BEGIN
    -- A retry is told from another request by 96 bits as well as by 256: nobody finds a second request with the same.
    ALTER TABLE moves DROP CONSTRAINT moves_fingerprint_check;
    ALTER TABLE moves ALTER COLUMN fingerprint TYPE bytea USING substring(fingerprint FOR 12);
    ALTER TABLE moves ADD CONSTRAINT moves_fingerprint_check CHECK (octet_length(fingerprint) = 12);
    ALTER TABLE games ALTER COLUMN fingerprint TYPE bytea USING substring(fingerprint FOR 12);
    ALTER TABLE branches ALTER COLUMN fingerprint TYPE bytea USING substring(fingerprint FOR 12);

    -- Citus changes nothing about how a table that lies on its nodes is stored, and keeps the key.
    IF to_regclass('pg_dist_local_group') IS NULL THEN
        -- A command is once in a game because the append asks for it where the entry before is seen, and with that all
        -- others of the game. So an index need only find it, not be unique: eight bytes of a hash, and not two keys of
        -- sixteen.
        ALTER TABLE moves DROP CONSTRAINT moves_game_id_command_id_key;
        CREATE INDEX moves_by_command ON moves (uuid_hash_extended(command_id, 0));

        -- Postgres compresses rows of more than 2 KiB only, but those as far as it can, and in their place.
        ALTER TABLE moves
            ALTER COLUMN fingerprint SET STORAGE MAIN,
            ALTER COLUMN hash SET STORAGE MAIN,
            ALTER COLUMN body SET STORAGE MAIN,
            ALTER COLUMN sealed SET STORAGE MAIN,
            SET (toast_tuple_target = 128);
    END IF;

    -- A row of the feed is a batch, as the sequencer numbers it; `pos` is that of its last entry.
    CREATE TEMPORARY TABLE numbered ON COMMIT DROP AS SELECT pos, game_id, seq FROM feed;
    DELETE FROM feed;
    ALTER TABLE feed DROP COLUMN game_id;
    ALTER TABLE feed DROP COLUMN seq;
    ALTER TABLE feed ADD COLUMN games uuid[] NOT NULL;
    ALTER TABLE feed ADD COLUMN entries int[] NOT NULL;
    INSERT INTO feed (pos, games, entries)
    SELECT max(pos), array_agg(game_id ORDER BY pos), array_agg(seq::int ORDER BY pos)
    FROM numbered GROUP BY pos / 1000;
END
$$;

-- The same entry by entry, for people.
CREATE VIEW feed_entries AS
SELECT b.pos - cardinality(b.games) + e.n AS pos, e.game_id, e.seq
FROM feed b CROSS JOIN LATERAL unnest(b.games, b.entries) WITH ORDINALITY AS e (game_id, seq, n);
GRANT SELECT ON feed_entries TO gusher_app;

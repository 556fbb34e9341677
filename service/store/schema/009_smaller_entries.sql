-- An entry in fewer bytes. Entries from before stay as they are; whoever reads knows both forms.

-- Where `prev`, the hash of the entry before, is there, `body` is the canonical bytes without their end, which is made of
-- the columns game_id, prev and seq.
ALTER TABLE moves ADD COLUMN prev bytea;

-- Instead of `sealed`: [[kind, audience, salt, name, value], …], and [kind, audience, digest] where it was erased. json
-- and not jsonb, because the very text is what the digests are of.
ALTER TABLE moves ADD COLUMN seals json;

CREATE FUNCTION end_of_entry(game_id uuid, prev bytea, seq bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT (',"game":"' || game_id || '","prev":"' || encode(prev, 'hex') || '","seq":' || seq || ',"v":1}')::bytea
$$;

-- The canonical bytes of an entry, for whoever looks into the table.
CREATE FUNCTION whole_body(moves) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN $1.prev IS NULL THEN $1.body ELSE $1.body || end_of_entry($1.game_id, $1.prev, $1.seq) END
$$;

-- Written out, as a function's call for each row would cost more than it does. Not valid: of the rows that are there it
-- says what it said before.
ALTER TABLE moves DROP CONSTRAINT hash_is_of_body;
ALTER TABLE moves ADD CONSTRAINT hash_is_of_body CHECK (hash = sha256(
    'gusher/entry/v1\012'::bytea || body || CASE WHEN prev IS NULL THEN ''::bytea ELSE
        (',"game":"' || game_id || '","prev":"' || encode(prev, 'hex') || '","seq":' || seq || ',"v":1}')::bytea
    END
)) NOT VALID;

-- The digest of a field as it is kept: base64url of SHA-256 of base64url of [salt, name, value].
CREATE FUNCTION seal_digest(seal json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN json_array_length(seal) = 3 THEN seal ->> 2 ELSE
        translate(encode(sha256(translate(encode(convert_to(
            '[' || (seal -> 2)::text || ',' || (seal -> 3)::text || ',' || (seal -> 4)::text || ']', 'UTF8'
        ), 'base64'), E'+/=\n', '-_')::bytea), 'base64'), E'+/=\n', '-_')
    END
$$;

-- Fields are kept as they are, or erased where they are personal.
CREATE FUNCTION only_erases(before json, after json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT (before IS NULL) = (after IS NULL)
        AND json_array_length(before) IS NOT DISTINCT FROM json_array_length(after)
        AND NOT EXISTS (
            SELECT FROM json_array_elements(after) WITH ORDINALITY AS a (one, position)
            JOIN json_array_elements(before) WITH ORDINALITY AS b (one, position) USING (position)
            WHERE a.one::text <> b.one::text AND (
                b.one ->> 0 <> 'p'
                OR a.one::text <> '["p",' || (b.one -> 1)::text || ',"' || seal_digest(b.one) || '"]'
            )
        )
$$;

CREATE OR REPLACE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.game_id, NEW.seq, NEW.command_id, NEW.fingerprint, NEW.hash, NEW.body, NEW.prev)
            IS DISTINCT FROM (OLD.game_id, OLD.seq, OLD.command_id, OLD.fingerprint, OLD.hash, OLD.body, OLD.prev)
        OR NOT only_erases(OLD.sealed, NEW.sealed)
        OR NOT only_erases(OLD.seals, NEW.seals)
    THEN
        RAISE EXCEPTION 'moves are never changed; only a personal disclosure may be erased'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

GRANT UPDATE (seals) ON moves TO gusher_eraser;

-- Every entry passes through here, and leaves a dead row.
ALTER TABLE feed_pending SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

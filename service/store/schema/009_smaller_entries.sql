-- What is kept beside a body in half the bytes: [[kind, audience, salt, name, value], …], and [kind, audience, digest] for
-- a field that was erased. A digest follows from its disclosure. json and not jsonb, because the very text of salt, name
-- and value is what the digest is of.
CREATE FUNCTION smaller(sealed jsonb) RETURNS json LANGUAGE sql IMMUTABLE AS $$
    SELECT ('[' || string_agg(
        '["' || (one ->> 'kind') || '",' || replace((one -> 'audience')::text, ' ', '') || ','
        || CASE WHEN disclosure IS NULL THEN (one -> 'digest')::text || ']' ELSE substr(convert_from(decode(
            translate(disclosure, '-_', '+/') || repeat('=', (4 - length(disclosure) % 4) % 4), 'base64'
        ), 'UTF8'), 2) END,
        ',' ORDER BY position
    ) || ']')::json
    FROM jsonb_array_elements(sealed) WITH ORDINALITY AS item (one, position),
        LATERAL (SELECT one ->> 'disclosure' AS disclosure) AS text
$$;

ALTER TABLE moves ALTER COLUMN sealed TYPE json USING smaller(sealed);

DROP FUNCTION smaller(jsonb);

-- Entries of a game come in order, so the pages of this index may be full.
ALTER INDEX moves_pkey SET (fillfactor = 100);

-- The digest of a field as it is kept: base64url of SHA-256 of base64url of [salt, name, value].
CREATE FUNCTION seal_digest(seal json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN json_array_length(seal) = 3 THEN seal ->> 2 ELSE
        translate(encode(sha256(translate(encode(convert_to(
            '[' || (seal -> 2)::text || ',' || (seal -> 3)::text || ',' || (seal -> 4)::text || ']', 'UTF8'
        ), 'base64'), E'+/=\n', '-_')::bytea), 'base64'), E'+/=\n', '-_')
    END
$$;

-- Fields are kept as they are, or erased where they are personal. The trigger calls this by its name.
DROP FUNCTION only_erases(jsonb, jsonb);
DROP FUNCTION without_personal(jsonb);
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

-- Every entry passes through here, and leaves a dead row.
ALTER TABLE feed_pending SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

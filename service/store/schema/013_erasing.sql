-- Erasing is a function, and the eraser may call it and do nothing else: what it erases are personal disclosures, and a
-- role that may call it needs no right to write. Past one machine there are no triggers that would watch such a right.
-- The entries that had any, of these or of all.
CREATE FUNCTION erase_personal(game uuid, entries bigint[]) RETURNS SETOF bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    UPDATE moves SET sealed = (
        SELECT ('[' || string_agg(
            CASE WHEN one ->> 0 = 'p' THEN '["p",' || (one -> 1)::text || ',"' || seal_digest(one) || '"]'
                 ELSE one::text END,
            ',' ORDER BY position
        ) || ']')::json
        FROM json_array_elements(sealed) WITH ORDINALITY AS item (one, position)
    )
    WHERE game_id = game AND (entries IS NULL OR seq = ANY (entries))
        AND EXISTS (
            SELECT FROM json_array_elements(sealed) AS one WHERE one ->> 0 = 'p' AND json_array_length(one) = 5
        )
    RETURNING seq
$$;
REVOKE ALL ON FUNCTION erase_personal(uuid, bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_personal(uuid, bigint[]) TO gusher_eraser;
REVOKE SELECT, UPDATE (sealed) ON moves FROM gusher_eraser;

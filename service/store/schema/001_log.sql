-- The log. The service's role may read and append, nothing else; the eraser's may close a personal disclosure for ever.
-- Roles belong to the whole server, so another database's first start may be making them right now.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['gusher_app', 'gusher_eraser'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END LOOP;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO gusher_app, gusher_eraser', current_schema());
END
$$;

-- `sealed` is null or a list of {digest, audience, kind, disclosure}. No foreign key: 18 % of the throughput for a
-- promise that the previous row's hash keeps already.
CREATE TABLE moves (
    game_id     uuid   NOT NULL,
    seq         bigint NOT NULL CHECK (seq >= 1),
    command_id  uuid   NOT NULL,
    fingerprint bytea  NOT NULL CHECK (octet_length(fingerprint) = 32),
    hash        bytea  NOT NULL,
    body        bytea  NOT NULL,
    sealed      jsonb,
    PRIMARY KEY (game_id, seq),
    UNIQUE (game_id, command_id),
    CONSTRAINT hash_is_of_body CHECK (hash = sha256('gusher/entry/v1\012'::bytea || body))
);

-- What the sequencer has still to number for readers across games.
CREATE TABLE feed_pending (
    game_id uuid   NOT NULL,
    seq     bigint NOT NULL,
    PRIMARY KEY (game_id, seq)
);

CREATE FUNCTION refuse_rewriting_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'moves are never changed or deleted' USING ERRCODE = 'insufficient_privilege';
END
$$;

-- What remains of a list of sealed fields when every personal disclosure is taken out of it.
CREATE FUNCTION without_personal(sealed jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_agg(CASE WHEN one ->> 'kind' = 'p' THEN one - 'disclosure' ELSE one END ORDER BY position)
    FROM jsonb_array_elements(sealed) WITH ORDINALITY AS item (one, position)
$$;

-- Whether every disclosure that `after` still holds stood in `before`: fields are erased, never put in.
CREATE FUNCTION only_erases(before jsonb, after jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT without_personal(before) IS NOT DISTINCT FROM without_personal(after)
        AND NOT EXISTS (
            SELECT FROM jsonb_array_elements(after) WITH ORDINALITY AS a (one, position)
            JOIN jsonb_array_elements(before) WITH ORDINALITY AS b (one, position) USING (position)
            WHERE a.one -> 'disclosure' IS DISTINCT FROM 'null'::jsonb AND a.one IS DISTINCT FROM b.one
        )
$$;

CREATE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.game_id, NEW.seq, NEW.command_id, NEW.fingerprint, NEW.hash, NEW.body)
            IS DISTINCT FROM (OLD.game_id, OLD.seq, OLD.command_id, OLD.fingerprint, OLD.hash, OLD.body)
        OR NOT only_erases(OLD.sealed, NEW.sealed)
    THEN
        RAISE EXCEPTION 'moves are never changed; only a personal disclosure may be erased'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER only_erasure BEFORE UPDATE ON moves
    FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasure();
CREATE TRIGGER never_deleted BEFORE DELETE ON moves
    FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_history();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON moves
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting_history();
-- Replication mode switches ordinary triggers off; these stay on.
ALTER TABLE moves ENABLE ALWAYS TRIGGER only_erasure;
ALTER TABLE moves ENABLE ALWAYS TRIGGER never_deleted;
ALTER TABLE moves ENABLE ALWAYS TRIGGER never_truncated;

GRANT SELECT, INSERT ON moves TO gusher_app;
GRANT SELECT, INSERT, DELETE ON feed_pending TO gusher_app;
GRANT SELECT, UPDATE (sealed) ON moves TO gusher_eraser;

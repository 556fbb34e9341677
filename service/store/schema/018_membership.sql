-- Who makes a role may not act in it by that alone: the service does in the one, `gusher erase` in the other.
DO $$
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        GRANT gusher_app, gusher_eraser TO CURRENT_USER;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL; -- Somebody else made them, and says who may.
END
$$;

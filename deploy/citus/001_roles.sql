-- A node of Citus reaches another as the role that asks, so both roles must be on every node and may log in there. What
-- they must show for that is said in each node's pg_hba.conf. Said to each node by itself: roles belong to a server, and
-- other databases may be making them right now. Of two that do so at the same moment one wins, which is as good.
DO $$
DECLARE
    failed  text;
    command text := format($command$
        DO $do$
        DECLARE
            wanted text;
        BEGIN
            PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
            FOREACH wanted IN ARRAY ARRAY['gusher_app', 'gusher_eraser'] LOOP
                BEGIN
                    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
                        EXECUTE format('CREATE ROLE %%I LOGIN', wanted);
                    ELSIF NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = wanted) THEN
                        EXECUTE format('ALTER ROLE %%I LOGIN', wanted);
                    END IF;
                EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
                    NULL;
                END;
            END LOOP;
            -- As the service asks of its own connections: a plan made while a table was small would scan it for ever.
            ALTER ROLE gusher_app IN DATABASE %1$I SET enable_seqscan = off;
            ALTER ROLE gusher_app IN DATABASE %1$I SET enable_hashjoin = off;
            ALTER ROLE gusher_app IN DATABASE %1$I SET enable_mergejoin = off;
            ALTER ROLE gusher_app IN DATABASE %1$I SET jit = off;
        END
        $do$
    $command$, current_database());
BEGIN
    EXECUTE command;
    SELECT result INTO failed FROM run_command_on_workers(command) WHERE NOT success LIMIT 1;
    IF failed IS NOT NULL THEN
        RAISE EXCEPTION 'roles cannot be made on every node: %', failed USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;

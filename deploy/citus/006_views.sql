-- Citus makes the views of a table anew where it takes the table over, and forgets who may read them.
GRANT SELECT ON feed_entries TO gusher_app;

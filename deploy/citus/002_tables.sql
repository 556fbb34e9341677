-- Where each table lies. What belongs to a game lies together on one node, by the game's id: an entry and what it
-- changes beside the log are one transaction of one node. Run where the tables are empty or not: rows are moved along.
SET LOCAL citus.multi_shard_modify_mode TO 'sequential';

-- Citus has no triggers on distributed tables. The service's role may only read and append; the eraser's may only call
-- `erase_personal`. Whoever owns the tables is not held back here: the audit is what tells.
DROP TRIGGER only_erasure ON moves;
DROP TRIGGER never_deleted ON moves;
DROP TRIGGER never_truncated ON moves;

SELECT create_distributed_table('moves', 'game_id', colocate_with => 'none');
SELECT create_distributed_table('feed_pending', 'game_id', colocate_with => 'moves');
SELECT create_distributed_table('games', 'id', colocate_with => 'moves');
SELECT create_distributed_table('secrets', 'game_id', colocate_with => 'moves');
SELECT create_distributed_table('players', 'game_id', colocate_with => 'moves');
SELECT create_distributed_table('invitations', 'game_id', colocate_with => 'moves');
SELECT create_distributed_table('dispute_reads', 'game_id', colocate_with => 'moves');
SELECT create_distributed_table('results', 'game_id', colocate_with => 'moves');
SELECT create_distributed_table('branches', 'game_id', colocate_with => 'moves');

-- By the account: a creation is unique by it, and news are asked for by it.
SELECT create_distributed_table('creations', 'created_by', colocate_with => 'none');
SELECT create_distributed_table('news', 'account', colocate_with => 'creations');

-- On every node, whole: asked by name, by id and by the hash of a secret, each unique, and seldom written. The foreign
-- key goes, since changing a token would need the right to change its account.
ALTER TABLE tokens DROP CONSTRAINT tokens_account_fkey;
SELECT create_reference_table('accounts');
SELECT create_reference_table('tokens');

-- On the coordinator: one sequence of small rows with one writer, and what few rows say who is there. Known to the other
-- nodes, so that any may be asked.
SELECT citus_add_local_table_to_metadata('feed');
SELECT citus_add_local_table_to_metadata('feed_sequencer');
SELECT citus_add_local_table_to_metadata('feed_readers');
SELECT citus_add_local_table_to_metadata('feed_parked');
SELECT citus_add_local_table_to_metadata('boards');

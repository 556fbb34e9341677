-- What lies together moves together to another node, while it is read and written, by logical replication: of tables
-- that the write-ahead log has. So here it has the what-if copies too.
ALTER TABLE branches SET LOGGED;

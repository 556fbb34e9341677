-- Workers remember tokens and ask every half second which were revoked lately: nearly always none.
CREATE INDEX tokens_revoked ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;

/**
 * Which store it is (schema/0009-store-id.ts), and on which system and timeline it got that id. Where it stands on
 * another one, it was restored by PostgreSQL's own means, or a standby has taken over: then its id counts as another.
 */
export const sql = `
ALTER TABLE store ADD COLUMN id text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 16);
ALTER TABLE store ADD COLUMN id_place text NOT NULL
  DEFAULT (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
`

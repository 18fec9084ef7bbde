/**
 * Identifies the store (schema/0009-store-id.ts), with the system and timeline on which it got its id. On another one the
 * store was restored by PostgreSQL's own tools, or a standby was promoted: its id then counts as a different one.
 */
export const sql = `
ALTER TABLE store ADD COLUMN id text NOT NULL DEFAULT left(replace(gen_random_uuid()::text, '-', ''), 16);
ALTER TABLE store ADD COLUMN id_place text NOT NULL
  DEFAULT (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
`

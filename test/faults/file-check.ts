import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import type { Written } from './record-client.ts'

type RecordRow = { readonly id: number; readonly version: number; readonly body: Uint8Array }
type VersionRow = { readonly record_id: number; readonly number: number; readonly body: Uint8Array }

/** Opens the file as another program would and checks that it is whole and holds every acknowledged answer. */
export function checkFile(path: string, acknowledged: readonly Written[]): void {
  const database = new Database(path, { readonly: true, strict: true })
  try {
    expect(database.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    const records = database.query<RecordRow, []>('SELECT id, version, body FROM record').all()
    const versions = readVersions(database)
    for (const record of records) checkRecord(record, versions.get(record.id) ?? [])
    expect(versions.size).toBe(records.length)
    const bodies = new Set([...versions.values()].flat().map(({ body }) => body))
    expect(acknowledged.filter(({ body }) => !bodies.has(body))).toEqual([])
  } finally {
    database.close()
  }
}

type Version = { readonly number: number; readonly body: string }

function readVersions(database: Database): ReadonlyMap<number, readonly Version[]> {
  const rows = database.query<VersionRow, []>('SELECT record_id, number, body FROM version ORDER BY seq')
  const versions = new Map<number, Version[]>()
  for (const row of rows.iterate()) {
    const known = versions.get(row.record_id) ?? []
    versions.set(row.record_id, known)
    known.push({ number: row.number, body: toText(row.body) })
  }
  return versions
}

function checkRecord(record: RecordRow, versions: readonly Version[]): void {
  expect(versions.map(({ number }) => number)).toEqual(versions.map((_, index) => index + 1))
  expect(versions.at(-1)).toEqual({ number: record.version, body: toText(record.body) })
  for (const { body } of versions) expect(JSON.parse(body)).toMatchObject({ id: record.id })
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

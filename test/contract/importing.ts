import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lastSeqSql } from '../../src/store/write/version-rows.ts'
import { type Report, runRostrum } from '../archive/command.ts'
import { readRows } from '../postgres/databases.ts'
import { type Fields, fail, parseFields, type Service } from './service.ts'

type Imported = { readonly exitCode: number | null; readonly stdout: string; readonly report: Report }

/** Imports into the store that is being served, on whatever engine, and waits until the server has noticed. */
export async function importServed(service: Service, source: string, ...flags: readonly string[]): Promise<Imported> {
  const reportPath = `${source.replace(/\/$/, '')}.report.json`
  const { db } = service.server()
  const { exitCode, stdout, stderr } = await runRostrum('import', source, '--db', db, '--report', reportPath, ...flags)
  if (exitCode === null || exitCode > 65) fail(`import ended with ${exitCode}: ${stderr}`)
  const report: Report = JSON.parse(readFileSync(reportPath, 'utf8'))
  rmSync(reportPath)
  await waitForFeed(service)
  return { exitCode, stdout, report }
}

const feedMs = 10_000

/** The feed tells of a change once no cache of the server has anything older; until then the change is beyond its end. */
async function waitForFeed(service: Service): Promise<void> {
  const [{ seq } = { seq: null }] = await readRows(service.server().db, lastSeqSql)
  const path = `/api/v2/changes?since=${Number(seq ?? 0)}`
  const deadline = performance.now() + feedMs
  for (;;) {
    const { status, body } = await service.call({ method: 'GET', path, as: 'admin' })
    if (status === 200) return
    if (status !== 400 || performance.now() > deadline) fail(`${path} answers ${status}: ${body}`)
    await Bun.sleep(10)
  }
}

export function writeFile(folder: string, path: string, value: unknown): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value))
  return join(folder, path)
}

/** A file of records, one a line. */
export function writeRecords(folder: string, name: string, records: readonly Fields[]): string {
  return writeFile(folder, name, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
}

export async function exportServed(service: Service, out: string): Promise<readonly Fields[]> {
  const { exitCode, stderr } = await runRostrum(
    'export',
    '--format',
    'ndjson',
    '--out',
    out,
    '--db',
    service.server().db,
  )
  if (exitCode !== 0) fail(`export ended with ${exitCode}: ${stderr}`)
  const lines = readFileSync(out, 'utf8').trim().split('\n')
  return lines.map((line): Fields => JSON.parse(line))
}

let made = 0

export type Archive = { readonly archive: string; readonly name: string; readonly made: number }

/** An archive of one event with one talk, which no other test has. */
export function writeArchive(folder: string, talk: Fields = {}): Archive {
  const name = `talk-${++made}`
  const archive = join(folder, `archive-${made}`)
  writeFile(archive, `event-${made}/category.json`, { title: `Event ${made}` })
  const url = `https://www.youtube.com/watch?v=again${String(made).padStart(6, '0')}`
  const file = { title: name, slug: name, description: 'As it came', videos: [{ type: 'youtube', url }], ...talk }
  writeFile(archive, `event-${made}/videos/${name}.json`, file)
  return { archive, name, made }
}

/** One of the newest records, by its slug; nothing where there is none. */
export async function findBySlug(service: Service, slug: string): Promise<Fields> {
  const answer = await service.call({ method: 'GET', path: '/api/v2/video?page_size=100&ordering=-id', as: 'admin' })
  const { results } = parseFields(answer) as { readonly results: readonly Fields[] }
  return results.find((record) => record.slug === slug) ?? {}
}

import { describe, expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { ask } from '../faults/connection.ts'
import { checkFile } from '../faults/file-check.ts'
import { createRecordClient, parseRecord, type RecordClient, toWritten, type Written } from '../faults/record-client.ts'
import { withFolder } from '../faults/scratch.ts'
import { readSchedules } from '../harness/schedules.ts'
import { type Server, startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'
import { importInto, startRostrum, takeReport, talksFolder, toCounts, toImportWords } from './command.ts'
import { checkStored, readStored } from './stored.ts'
import { writeManyTalks } from './talk-files.ts'

// Runner: long (imports while a server runs)

const noticeMs = 1_000
const manyTalks = 1_500

function toClient(server: Server): RecordClient {
  return createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
}

async function getJson(server: Server, path: string): Promise<{ readonly [name: string]: unknown }> {
  const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: `Token ${server.adminKey}` } })
  return Object(await answer.json())
}

describe('On a store that is being served', () => {
  test('imported talks are served within a second, as records, in lists and in searches', async () => {
    const server = await startServer()
    try {
      // Each thread has then looked in vain.
      for (let warm = 0; warm < 8; warm++) expect((await toClient(server).read(101)).status).toBe(404)
      const { report } = await importInto(server.db, talksFolder)
      await Bun.sleep(noticeMs)
      const items = await Promise.all(Array.from({ length: 16 }, () => toClient(server).read(101)))
      expect(items.map(({ status }) => status)).toEqual(Array(16).fill(200))
      expect(await getJson(server, '/api/v2/video?page_size=1')).toMatchObject({ count: report.created })
      expect(await getJson(server, '/api/v2/video?q=tides')).toMatchObject({ count: 1 })
      expect(await getJson(server, '/api/v2/category/harbourconf-2014')).toMatchObject({ title: 'HarbourConf 2014' })
    } finally {
      await server.stop()
    }
  }, 180_000)

  test('the import runs at a lower priority than the threads of the server', async () => {
    await withFolder(async (folder) => {
      writeManyTalks(join(folder, 'talks'), manyTalks)
      const server = await startServer()
      try {
        const running = startRostrum(toImportWords(server.db, join(folder, 'talks')))
        while (readStored(server.db).records.length === 0) await Bun.sleep(5)
        running.kill('SIGSTOP')
        const schedules = readSchedules(running.pid)
        running.kill('SIGCONT')
        await running.ended
        const main = schedules.find(({ thread }) => thread === running.pid)
        // From 10 on, nothing is lowered further.
        if (getPriority() < 10) expect(main?.niceness).toBeGreaterThan(getPriority())
      } finally {
        await server.stop()
      }
    })
  }, 180_000)

  test('writes of the server during the import are stored, too, and nothing is lost on either side', async () => {
    await withFolder(async (folder) => {
      writeManyTalks(join(folder, 'talks'), manyTalks)
      const server = await startServer()
      try {
        const running = startRostrum(toImportWords(server.db, join(folder, 'talks')))
        let isRunning = true
        const written = writeUntil(toClient(server), () => !isRunning)
        const ended = await running.ended
        isRunning = false
        const answers = await written
        const report = takeReport(server.db, ended)
        expect([ended.exitCode, toCounts(report)]).toEqual([0, [manyTalks, 0, 0, 0]])
        const created = answers.filter(({ isNew }) => isNew).length
        expect(created).toBeGreaterThan(3)
        const { records } = readStored(server.db)
        expect(records.length).toBe(manyTalks + created)
        checkFile(server.db, answers)
        checkStored(server.db)
      } finally {
        await server.stop()
      }
    })
  }, 120_000)

  test('all of it is one batch, which can be undone, and the same import repeats it', async () => {
    const server = await startServer()
    try {
      const { report } = await importInto(server.db, talksFolder)
      const areServed = async () => (await getJson(server, '/api/v2/video?state=1')).count === report.created
      await until('the records are served', areServed)
      const batches = await getJson(server, '/api/v2/batches')
      expect(batches).toMatchObject({ results: [{ id: 1, kind: 'import', records: report.created, undone_by: null }] })
      const undone = await undo(server, 1)
      expect([undone.changed, undone.left]).toEqual([report.created, []])
      expect(await getJson(server, '/api/v2/video?state=1')).toMatchObject({ count: 0 })
      const again = await importInto(server.db, talksFolder)
      expect([toCounts(again.report), again.report.live_again.length]).toEqual([
        [0, report.created, 0, 0],
        report.created,
      ])
      expect(again.stdout).toContain(`${report.created} live again, after an import was undone`)
      await until('the records are served again', areServed)
    } finally {
      await server.stop()
    }
  }, 180_000)
})

type Undone = { readonly changed: number; readonly left: readonly unknown[] }

async function undo(server: Server, batch: number): Promise<Undone> {
  const init = { method: 'POST', headers: { Authorization: `Token ${server.adminKey}` } }
  const answer = await fetch(`${server.url}/api/v2/batches/${batch}/undo`, init)
  expect(answer.status).toBe(200)
  return Object(await answer.json())
}

/** Creates records with the talks' titles or in their category, never both, and changes each once. */
async function writeUntil(client: RecordClient, isOver: () => boolean) {
  const written: (Written & { readonly isNew: boolean })[] = []
  for (let number = 1; number < 10_000 && !isOver(); number++) {
    const isSameEvent = number % 2 === 0
    const title = isSameEvent ? `Own ${number}` : `Talk ${number}`
    const made = await client.create({ title, category: isSameEvent ? 'Many' : `Own ${number}` })
    written.push({ ...toWritten(made), isNew: true })
    const changed = await client.patch(Number(parseRecord(made.body).id), { whiteboard: String(number) })
    written.push({ ...toWritten(changed), isNew: false })
  }
  return written
}

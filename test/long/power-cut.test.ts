import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { closeAfter, openBeside } from '../../src/store/sqlite/connection.ts'
import { withFolder } from '../faults/scratch.ts'
import { spawnServer } from '../faults/spawn.ts'
import { until } from '../harness/until.ts'
import { createRandom, cutPower, fates, withoutSyncs } from '../powercut/disk.ts'
import { findWrong } from '../powercut/find-wrong.ts'
import type { Trace } from '../powercut/operation.ts'
import { readTrace, type TimedTrace, toTraced } from '../powercut/strace.ts'

// Runner: alone (it traces every system call)

const launcher = resolve(import.meta.dir, '../../bin/rostrum')
const key = `rst_${'a'.repeat(30)}`
const records = 16
const clients = 4
/** Each is half a megabyte of trace. */
const writesPerClient = 100
const randomCuts = 150
// Four minutes on an idle machine, far more on a busy one.
const timeoutMs = 1_800_000

/** A write that was answered: the number that it put into a record, and when. */
interface Acknowledged {
  readonly id: number
  readonly number: number
  readonly atS: number
}

const nowS = () => (performance.timeOrigin + performance.now()) / 1000

/** Each client changes records of its own, one after the other. */
async function write(port: number): Promise<readonly Acknowledged[]> {
  const all: Acknowledged[] = []
  const headers = { Authorization: `Token ${key}`, 'Content-Type': 'application/json' }
  const run = async (client: number) => {
    for (let number = 1; number <= writesPerClient; number++) {
      const id = 1 + client + clients * (number % (records / clients))
      const body = JSON.stringify({ whiteboard: String(number), description: 'x'.repeat(number % 3000) })
      const answer = await fetch(`http://127.0.0.1:${port}/api/v2/video/${id}`, { method: 'PATCH', headers, body })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
      all.push({ id, number, atS: nowS() })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return all
}

/** A server on a new store in a new folder, with clients, told to stop at the end. */
async function recordServer(folder: string): Promise<{ trace: TimedTrace; acknowledged: readonly Acknowledged[] }> {
  const [root, traceFile] = [`${folder}/root`, `${folder}/trace`]
  mkdirSync(root)
  const args = ['serve', '--db', `${root}/data/records.db`, '--port', '0', '--sample', '--threads', '1']
  const server = await spawnServer(toTraced([launcher, ...args], traceFile), { env: { ROSTRUM_ADMIN_TOKEN: key } })
  const acknowledged = await write(server.port).finally(server.stop)
  await waitForEnd(traceFile, server.pid)
  return { trace: readTrace(traceFile, root), acknowledged }
}

/** The tracer goes on a little after the program. */
async function waitForEnd(traceFile: string, pid: number): Promise<void> {
  const end = new RegExp(`^${pid} +[\\d.]+ \\+\\+\\+ exited`, 'm')
  await until('the trace ends', async () => end.test(await readTail(traceFile)))
}

function readTail(path: string): Promise<string> {
  const file = Bun.file(path)
  return file.slice(Math.max(0, file.size - 2_000)).text()
}

/** How many operations had taken effect by then. */
function countUntil({ times }: TimedTrace, atS: number): number {
  const found = times.findIndex((time) => time > atS)
  return found === -1 ? times.length : found
}

/** What of the acknowledged writes a disk has lost, and what else is wrong with it. */
async function judge(disk: string, acknowledged: readonly Acknowledged[]): Promise<readonly string[]> {
  const path = `${disk}/data/records.db`
  if (!existsSync(path)) return acknowledged.length === 0 ? [] : ['LOST: there is no store']
  const wrong = await findWrong(path)
  if (wrong.length > 0) return wrong
  return closeAfter(openBeside(path), (db) => {
    const find = db.query<{ number: number; version: number }, [number]>(
      `SELECT CAST(CAST(body AS TEXT) ->> 'whiteboard' AS INTEGER) AS number, version FROM record WHERE id = ?`,
    )
    return [...Map.groupBy(acknowledged, ({ id }) => id)].flatMap(([id, ofRecord]) => {
      const row = find.get(id)
      const last = Math.max(...ofRecord.map(({ number }) => number))
      const isThere = row !== null && row.number >= last && row.version > ofRecord.length
      return isThere ? [] : [`LOST: record ${id} acknowledged ${last}, found ${row?.number}`]
    })
  })
}

async function judgeCuts(
  trace: Trace & TimedTrace,
  acknowledged: readonly Acknowledged[],
  cutsS: readonly number[],
  folder: string,
) {
  const random = createRandom(7)
  const wrong: string[] = []
  let disks = 0
  for (const cutS of cutsS) {
    for (const fate of [...fates, 'torn'] as const) {
      const disk = join(folder, `disk-${disks++}`)
      cutPower(trace, countUntil(trace, cutS), fate, random)(disk)
      wrong.push(
        ...(await judge(
          disk,
          acknowledged.filter(({ atS }) => atS <= cutS),
        )),
      )
      rmSync(disk, { recursive: true, force: true })
    }
  }
  return { wrong, disks }
}

test(
  'a power cut takes no acknowledged write from a served store, whatever of the rest reached the disk',
  () =>
    withFolder(async (folder) => {
      const { trace, acknowledged } = await recordServer(folder)
      const random = createRandom(3)
      const [firstS = 0, lastS = 0] = [trace.times[0], trace.times.at(-1)]
      const anywhere = Array.from({ length: randomCuts }, () => firstS + random() * (lastS - firstS))
      const afterAnswers = acknowledged.filter(() => random() < randomCuts / acknowledged.length).map(({ atS }) => atS)
      // Also in the middle of the first start and of the end.
      const edges = [...trace.times.slice(0, 40), ...trace.times.slice(-20), lastS + 1]
      const cuts = [...anywhere, ...afterAnswers, ...edges]
      const { wrong, disks } = await judgeCuts(trace, acknowledged, cuts, folder)
      console.log(`${acknowledged.length} acknowledged writes, ${cuts.length} cuts, ${disks} disks`)
      expect([...new Set(wrong)]).toEqual([])
      // A harness that cannot fail shows nothing.
      for (const end of ['records.db-wal', 'records.db']) {
        const isMeant = (inode: string) => inode.replace(/(?:\.\d+\.\w+\.new)? \d+$/, '').endsWith(end)
        const unsynced = { ...trace, ...withoutSyncs(trace, isMeant) }
        expect([end, (await judgeCuts(unsynced, acknowledged, afterAnswers, folder)).wrong]).not.toEqual([end, []])
      }
    }),
  timeoutMs,
)

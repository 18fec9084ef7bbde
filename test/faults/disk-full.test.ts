import { expect, test } from 'bun:test'
import { appendFileSync, copyFileSync, readFileSync, rmSync } from 'node:fs'
import { type Answer, ask } from './connection.ts'
import { checkFile } from './file-check.ts'
import { readReadiness, waitUntilReady } from './readiness.ts'
import { createRecordClient, parseRecord, type RecordClient, toWritten, type Written } from './record-client.ts'
import { withFolder } from './scratch.ts'
import { adminKey, startOnSmallDisk } from './small-disk.ts'

const bigText = 'full '.repeat(15_000)
const maxWrites = 200

test('on a full disk writes are 507 and reads continue; with room again writes succeed, and none is lost', async () => {
  await withFolder(async (folder) => {
    const { server, disk } = await startOnSmallDisk(folder)
    try {
      const client = createRecordClient((...request) => ask(server.port, ...request), adminKey)
      const written = [toWritten(await client.create({ title: 'Kept' }))]
      fillDisk(`${disk}/ballast`)
      const refused = await writeUntilRefused(client, written)
      expect(refused.status).toBe(507)
      expect(refused.headers.get('content-type')).toStartWith('application/problem+json')
      expect(parseRecord(refused.body)).toMatchObject({ status: 507 })
      await expectReads(client, written)
      // Longer than a failure is remembered where it was met, on connections to all threads.
      expect(await readReadiness(server.port, 30, 100)).toEqual([503])
      rmSync(`${disk}/ballast`)
      // Nobody writes meanwhile.
      expect(await waitUntilReady(server.port)).toBe(true)
      const again = await writeUntilAccepted(client)
      written.push(toWritten(again))
      await expectReads(client, written)
      // SQLite takes the way through the process for one of its links, so it gets a copy; nobody writes now.
      for (const name of ['records.db', 'records.db-wal']) copyFileSync(`${disk}/${name}`, `${folder}/${name}`)
      checkFile(`${folder}/records.db`, written)
    } finally {
      await server.stop()
    }
  })
}, 180_000)

test('a first start on a full disk is refused with advice, and the same start succeeds when there is room', async () => {
  await withFolder(async (folder) => {
    const first = 'dd if=/dev/zero of="$disk/ballast" bs=4k 2>/dev/null; serve 2>"$folder/said"; rm "$disk/ballast"'
    const { server } = await startOnSmallDisk(folder, first)
    try {
      const said = readFileSync(`${folder}/said`, 'utf8')
      expect(said).toContain('records.db')
      expect(said).toMatch(/full|room/)
      expect(said).not.toMatch(/^\s+at /m)
      const client = createRecordClient((...request) => ask(server.port, ...request), adminKey)
      toWritten(await client.create({ title: 'Room at last' }))
    } finally {
      await server.stop()
    }
  })
}, 180_000)

function fillDisk(ballast: string): void {
  for (const pieceBytes of [65_536, 4_096]) {
    try {
      for (let piece = 0; piece < 10_000; piece++) appendFileSync(ballast, new Uint8Array(pieceBytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

/** The log file may have room of its own for a while; the last answer is the first that is no success. */
async function writeUntilRefused(client: RecordClient, written: Written[]): Promise<Answer> {
  for (let number = 0; number < maxWrites; number++) {
    const answer = await client.create({ title: `Full ${number}`, description: bigText })
    if (answer.status !== 201) return answer
    written.push(toWritten(answer))
  }
  throw new Error(`${maxWrites} writes were accepted on a full disk`)
}

async function writeUntilAccepted(client: RecordClient): Promise<Answer> {
  const deadline = performance.now() + 5_000
  for (;;) {
    const answer = await client.create({ title: 'Room again' })
    if (answer.status === 201 || performance.now() > deadline) return answer
    await Bun.sleep(50)
  }
}

async function expectReads(client: RecordClient, written: readonly Written[]): Promise<void> {
  for (const { id, body } of written) {
    const answer = await client.read(id)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body })
  }
}

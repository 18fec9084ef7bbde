import { expect, test } from 'bun:test'
import { toTimestamp } from '../../src/record/timestamp.ts'
import { createFakeStreams } from './fake-streams.ts'

const history = 50_000
const behind = 100

/** A feed with a long history. */
function createFixture() {
  let last = history
  let tokens = 0
  const revoked = new Set<string>()
  const toChange = (seq: number) => {
    return { seq, id: 1, version: seq, at: toTimestamp(0), kind: 'updated', isPublic: true, details: null } as const
  }
  const store = {
    tokensCounter: () => tokens,
    changesCounter: () => last,
    async listChanges({ since, limit }: { since: number; limit: number }) {
      const count = Math.min(limit, last - since)
      return { changes: Array.from({ length: count }, (_, i) => toChange(since + 1 + i)), last, store: 'here' }
    },
  }
  const streams = createFakeStreams(store)
  const open = (name: string, cursor: number) => follow(streams.open(() => !revoked.has(name), cursor, last))
  function revoke(name: string): void {
    revoked.add(name)
    tokens++
  }
  const write = () => {
    last++
  }
  return { open, revoke, write, close: streams.close }
}

interface Reader {
  chunks: number
  text: string
  isEnded: boolean
}

function follow(body: ReadableStream<Uint8Array>): Reader {
  const reader: Reader = { chunks: 0, text: '', isEnded: false }
  void (async () => {
    for await (const chunk of body) {
      reader.chunks++
      reader.text = Buffer.from(chunk).toString('latin1')
    }
    reader.isEnded = true
  })()
  return reader
}

test('a reader that is up to date does not wait for slower ones, and a revoked one gets nothing more', async () => {
  const { open, revoke, write, close } = createFixture()
  const live = open('live', history)
  const revoked = open('revoked', 0)
  const others = Array.from({ length: behind }, (_, i) => open(`behind ${i}`, 0))
  while (others.some(({ chunks }) => chunks < 3)) await Bun.sleep(1)
  write()
  revoke('revoked')
  const before = revoked.chunks
  while (!live.text.includes(`"seq":${history + 1},`)) await Bun.sleep(1)
  // All have most of a hundred pages before them.
  expect(Math.max(...others.map(({ chunks }) => chunks))).toBeLessThan(50)
  while (!revoked.isEnded) await Bun.sleep(1)
  expect(revoked.chunks - before).toBeLessThanOrEqual(1)
  while (others.some(({ text }) => !text.includes(`"seq":${history + 1},`))) await Bun.sleep(1)
  close()
}, 180_000)

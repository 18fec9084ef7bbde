import { expect, test } from 'bun:test'
import { createClient, type FetchInit } from '../../src/client/client.ts'

// Runner: one engine (the answers are made here)

const batch = { id: 7, state: 'running', total: 30, done: 0 }
const running = (done: number) => Response.json({ ...batch, done }, { status: 202 })
const done = () => Response.json({ ...batch, state: 'done', done: 30 })
const busy = () => Response.json({ title: 'Busy' }, { status: 503 })

/** A client whose service gives these answers, one after the other, and the last one for ever. */
function createAnswered(...answers: readonly (() => Response)[]) {
  const asked: string[] = []
  const fetch = async (url: string, { method }: FetchInit) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push(`${method} ${new URL(url).pathname}`)
    return answer?.() ?? Response.error()
  }
  return { client: createClient({ baseUrl: 'http://127.0.0.1:1', fetch }), asked }
}

test('an undo waits for its batch, reports its progress, and survives a failed poll', async () => {
  const { client, asked } = createAnswered(
    () => running(0),
    () => running(10),
    busy,
    done,
  )
  const seen: number[] = []
  const undone = await client.batches.undo(3, { onProgress: (each) => seen.push(each.done) })
  expect(undone).toMatchObject({ ok: true, value: { state: 'done', done: 30 } })
  expect(seen).toEqual([0, 10])
  const poll = 'GET /api/v2/batches/7'
  expect(asked).toEqual(['POST /api/v2/batches/3/undo', poll, poll, poll])
})

test('an undo that does not wait returns the running batch', async () => {
  const { client, asked } = createAnswered(() => running(0))
  const undone = await client.batches.undo(3, { wait: false })
  expect(undone).toMatchObject({ ok: true, value: { id: 7, state: 'running' } })
  expect(asked).toHaveLength(1)
})

test('waiting ends with a failure that persists', async () => {
  const { client, asked } = createAnswered(() => running(0), busy)
  const waited = await client.batches.wait(7)
  expect(waited).toMatchObject({ ok: false, problem: { status: 503 } })
  expect(asked).toHaveLength(6)
}, 20_000)

test('waiting ends at once when the token is refused or the caller aborts', async () => {
  const refused = createAnswered(
    () => running(0),
    () => Response.json({}, { status: 401 }),
  )
  expect(await refused.client.batches.wait(7)).toMatchObject({ ok: false, problem: { status: 401 } })
  expect(refused.asked).toHaveLength(2)
  const aborting = new AbortController()
  const { client, asked } = createAnswered(
    () => running(0),
    () => {
      aborting.abort()
      throw new Error('aborted')
    },
  )
  const waited = await client.batches.wait(7, { signal: aborting.signal })
  expect(waited).toMatchObject({ ok: false, problem: { status: 0 } })
  expect(asked).toHaveLength(2)
})

test('a rename of a large category returns the category once all records have the new title', async () => {
  const category = { slug: 'big-event', title: 'New title' }
  const { client, asked } = createAnswered(
    () => running(0),
    done,
    () => Response.json(category, { headers: { ETag: '"c-2"' } }),
  )
  const renamed = await client.categories.update('big-event', { title: 'New title' })
  expect(renamed).toMatchObject({ ok: true, value: category, etag: '"c-2"' })
  expect(asked).toEqual(['PATCH /api/v2/category/big-event', 'GET /api/v2/batches/7', 'GET /api/v2/category/big-event'])
})

test('a rename of a name that many records have returns the name', async () => {
  const ada = { id: 3, name: 'Ada Lovelace', slug: 'ada-lovelace', count: 30 }
  const { client, asked } = createAnswered(
    () => running(10),
    done,
    () => Response.json(ada),
  )
  const seen: number[] = []
  const renamed = await client.speakers.rename(3, ada.name, { onProgress: (each) => seen.push(each.done) })
  expect(renamed).toMatchObject({ ok: true, value: ada })
  expect(seen).toEqual([10])
  expect(asked).toEqual(['PATCH /api/v2/speaker/3', 'GET /api/v2/batches/7', 'GET /api/v2/speaker/3'])
})

test('a rename that the service did not finish is a failure that says what to do', async () => {
  const stopped = () => Response.json({ ...batch, state: 'stopped', done: 10 })
  const { client } = createAnswered(() => running(0), stopped)
  const renamed = await client.categories.update('big-event', { title: 'New title' })
  expect(renamed).toMatchObject({
    ok: false,
    problem: { status: 0, detail: expect.stringContaining('Repeat the call') },
  })
})

import { expect, test } from 'bun:test'
import { fail, type Json, readJson, toList, useArchive } from './archive.ts'

// Runner: long PostgreSQL

const archive = useArchive()
const event = 'PyCon FR 2015'

/**
 * Pushes a folder of talks as an old command-line client does: it looks for the event in the public list, with no token,
 * and stops where it is missing. Then it sends each talk as a draft, with its token.
 */
async function push(talks: readonly Json[]): Promise<readonly Json[]> {
  if (!(await listEvents()).includes(event))
    return fail(`Category "${event}" does not exist on server. Build it there first.`)
  return Promise.all(talks.map((talk) => post('video/', { ...talk, category: event, state: 2 })))
}

async function listEvents(): Promise<readonly unknown[]> {
  const titles: unknown[] = []
  let address: unknown = `${archive.url()}/api/v2/category/`
  for (let asked = 0; typeof address === 'string' && asked < 10; asked++) {
    const page = await readJson(await fetch(address, { headers: { Accept: 'application/json' } }))
    titles.push(...toList(page.results).map(({ title }) => title))
    address = page.next
  }
  return titles
}

async function post(path: string, body: Json): Promise<Json> {
  const headers = { Authorization: `Token ${archive.token()}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${archive.url()}/api/v2/${path}`, init)
  return answer.status === 201 ? readJson(answer) : fail(`${path}: ${answer.status} ${await answer.text()}`)
}

test('an event that was created with a token is listed without one, so a client can push its talks as drafts', async () => {
  const talks = Array.from({ length: 46 }, (_, index) => ({ title: `Talk ${index}`, language: 'French' }))
  await expect(push(talks)).rejects.toThrow('does not exist')
  const made = await post('category/', { title: event })
  expect(made).toMatchObject({ title: event, videos: [] })
  const pushed = await push(talks)
  expect(pushed).toHaveLength(46)
  for (const record of pushed) expect(record).toMatchObject({ category: event, state: 2 })
  // Still there for the next push, though all that it has is drafts.
  expect(await listEvents()).toEqual([event])
})

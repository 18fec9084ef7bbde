import { expect, test } from 'bun:test'
import { withFolder } from '../faults/scratch.ts'
import { headerOf } from '../harness/raw.ts'
import { unsaidOf, useNames } from './curated-names.ts'
import { importServed, writeRecords } from './importing.ts'
import { type Fields, parseFields, useService } from './service.ts'

// Runner: slow, long PostgreSQL

const service = useService({ roles: ['publisher'] })
const { get, findName, createTalk } = useNames(service)

/** More than change within a group of commands. */
const count = 650
const deadlineMs = 100_000

/** A request that may take a while: 202 after five seconds, and the batch tells when it is done. */
async function ask(method: string, path: string, json?: Fields): Promise<Fields> {
  const { url } = service.server()
  const headers = { Authorization: `Token ${service.keyOf('admin')}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${url}/api/v2/${path}`, {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const body: Fields = Object(await answer.json())
  expect([200, 202]).toContain(answer.status)
  if (answer.status === 200) return body
  const until = Date.now() + deadlineMs
  for (;;) {
    const batch = parseFields(await get(`batches/${body.id}`))
    if (batch.state === 'done') return batch
    expect([batch.state, Date.now() < until]).toEqual(['running', true])
    await Bun.sleep(50)
  }
}

test(
  'A name with many records is renamed, merged and put back',
  () =>
    withFolder(async (folder) => {
      const talks = Array.from({ length: count }, (_, i) => ({
        category: 'Large',
        title: `Talk ${i}`,
        speakers: ['Many'],
      }))
      await importServed(service, writeRecords(folder, 'large.ndjson', talks))
      await createTalk('speaker', ['Few'])
      const [{ id }, few] = [await findName('speaker', 'Many'), await findName('speaker', 'Few')]
      await ask('PATCH', `speaker/${id}`, { name: 'Multitude' })
      const renamed = { id, name: 'Multitude', slug: 'multitude', count, ...unsaidOf.speaker, aliases: ['Many'] }
      expect(parseFields(await get(`speaker/${id}`))).toEqual(renamed)
      const merged = await ask('POST', `speaker/${id}/merge`, { into: few.id })
      expect(merged).toMatchObject({ kind: 'merge speaker', state: 'done', total: count, changed: count })
      const whole = {
        id: few.id,
        name: 'Few',
        slug: 'few',
        count: count + 1,
        ...unsaidOf.speaker,
        aliases: ['Many', 'Multitude'],
      }
      expect(parseFields(await get(`speaker/${few.id}`))).toEqual(whole)
      expect(headerOf(await get(`speaker/${id}`), 'Location')).toBe(`${service.server().url}/api/v2/speaker/${few.id}`)
      expect(await ask('POST', `batches/${merged.id}/undo`)).toMatchObject({ changed: count, left: [] })
      expect(parseFields(await get(`speaker/${id}`))).toEqual(renamed)
    }),
  deadlineMs * 2,
)

import { describe, expect, test } from 'bun:test'
import { type Change, readChanges, waitFor, writeFromOutside } from '../contract/event-stream.ts'
import { parseFields, tagOf, toPath, useService } from '../contract/service.ts'
import { isLong } from '../harness/runs.ts'

const service = useService()

const readNext = (id: unknown) => service.call({ method: 'GET', path: `${toPath(id)}?format=json` })
const findLast = async () => (await readChanges(service.server(), 0)).at(-1)?.seq ?? 0

async function getPage(since: number): Promise<{ readonly changes: readonly Change[]; readonly next: number }> {
  return JSON.parse((await service.call({ method: 'GET', path: `/api/v2/changes?since=${since}` })).body)
}

describe('Who has heard of a change', () => {
  test('reads a record that is at least as new', async () => {
    const [{ id }, count] = [await service.create(), isLong ? 800 : 150]
    let since = await findLast()
    const write = async () => {
      for (let version = 2; version <= count; version++) await service.patch(id, { whiteboard: String(version) })
    }
    const writing = write()
    const stale: (readonly [told: number, read: number])[] = []
    for (let told = 1, asked = 0; told < count && asked < 10 * count; asked++) {
      const { changes, next } = await getPage(since)
      told = changes.at(-1)?.version ?? told
      if (changes.length === 0) continue
      since = next
      const read = Number(parseFields(await readNext(id)).whiteboard)
      if (read < told) stale.push([told, read])
    }
    await writing
    expect(stale).toEqual([])
  }, 180_000)

  test('reads a new record where another process has changed it', async () => {
    const { id } = await service.create()
    const [since, before] = [await findLast(), tagOf(await readNext(id))]
    for (let warm = 0; warm < 12; warm++) expect(tagOf(await readNext(id))).toBe(before)
    await writeFromOutside(service.server(), Number(id))
    const isTold = async () => (await getPage(since)).changes.length > 0
    expect(await waitFor(isTold, 2_000)).toBe(true)
    for (let again = 0; again < 12; again++) expect(tagOf(await readNext(id))).not.toBe(before)
  })
})

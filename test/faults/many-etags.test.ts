import { expect, test } from 'bun:test'
import { parseFields, tagOf, toPath, useService } from '../contract/service.ts'

// Runner: long (records and headers as large as they may be)

const service = useService({ roles: ['editor'], args: ['--threads', '1'] })

/** The largest version that a body of 1 MiB can make: each emoji takes 12 bytes when it is served. */
const text = '😀'.repeat(86_000)
const large = { state: 2, summary: text, description: text, quality_notes: text }
/** As many as fit into the headers. */
const many = 780

async function readMegabytes(): Promise<number> {
  const { body } = await service.call({ method: 'GET', path: '/metrics' })
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(body)?.[1]) / (1 << 20)
}

for (const [what, toList] of [
  ['one ETag many times', (tag: string) => Array.from({ length: many }, () => tag)],
  [
    'many made-up ETags of one version',
    (tag: string) => [...Array.from({ length: many }, (_, i) => `"1-${String(i).padStart(8, '0')}.json"`), tag],
  ],
] as const) {
  test(`an If-Match with ${what} takes no more memory than one with one ETag`, async () => {
    const { id } = await service.create(large)
    const first = tagOf(await service.read(id))
    await service.patch(id, { whiteboard: 'changed' })
    const write = (list: readonly string[]) =>
      service.call({
        method: 'PATCH',
        path: toPath(id),
        as: 'editor',
        json: { whiteboard: 'late' },
        headers: { 'If-Match': list.join(',') },
      })
    expect((await write([first])).status).toBe(412)
    const before = await readMegabytes()
    const answer = await write(toList(first))
    expect(answer.status).toBe(412)
    expect(parseFields(answer).conflicts).toEqual(['whiteboard'])
    // 780 versions of 3 MB would be 2,300.
    expect((await readMegabytes()) - before).toBeLessThan(300)
  }, 180_000)
}

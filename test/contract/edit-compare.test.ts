import { expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { toText, useEditor } from './editor-form.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'] })
const { ann, eve, read } = useEditor(service)

test('two talks that are compared say which is which, and a live one can be withdrawn right there', async () => {
  const [{ id: one }, { id: two }] = [
    await service.create({ title: 'Kept', category: 'Twins' }),
    await service.create({ title: 'Superfluous', category: 'Twins' }),
  ]
  const path = `/edit/duplicates?compare=${one},${two}`
  const { body } = await ann.get(path)
  expect(toText(body)).toMatch(
    new RegExp(
      `Talk ${one} Only in this talk: struck through Kept .*Talk ${two} Only in this talk: underlined Superfluous `,
    ),
  )
  const [, etag = ''] = new RegExp(`action="/edit/video/${two}".*?name="etag" value="([^"]*)"`, 's').exec(body) ?? []
  const form: [string, string][] = [
    ['etag', etag],
    ['do', 'withdraw'],
  ]
  expect(headerOf(await ann.post(`/edit/video/${two}`, form), 'Location')).toContain(`saved=${two}-1-2`)
  expect(await read(two)).toMatchObject({ title: 'Superfluous', state: 2 })
  expect((await ann.get(path)).body.match(/value="withdraw"/g)).toHaveLength(1)
  expect((await eve.get(path)).body).not.toContain('value="withdraw"')
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { parseFields, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { createVariantCalls, kinds } from './variants.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'] })
const { dismiss, findGroups, findIds, add } = createVariantCalls(service)

beforeAll(async () => {
  for (const kind of kinds) await add(kind, 'First', 'Second')
})

describe('Dismissing', () => {
  for (const kind of kinds) {
    test(`hides a group of ${kind}s until another name joins it`, async () => {
      await add(kind, 'Hidden Colour', 'hidden colour')
      const ids = await findIds(kind, 'hidden')
      const sorted = [...ids].sort((a, b) => a - b)
      const answer = await dismiss(kind, { ids: [...sorted].reverse() })
      expect([answer.status, parseFields(answer)]).toEqual([200, { ids: sorted, dismissed: true }])
      expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
      expect(await findGroups(kind, 'hidden')).toEqual([])
      expect((await dismiss(kind, { ids })).status).toBe(200)
      await add(kind, 'HIDDEN colour')
      expect(await findGroups(kind, 'hidden')).toEqual([
        ['case', 'HIDDEN colour 1', 'Hidden Colour 1', 'hidden colour 1'],
      ])
    })
  }

  test('is of one kind of name', async () => {
    await add('speaker', 'Of Both', 'of both')
    await add('tag', 'Of Both', 'of both')
    await dismiss('tag', { ids: await findIds('tag', 'of both') })
    expect([await findGroups('tag', 'of both'), await findGroups('speaker', 'of both')]).toEqual([
      [],
      [['case', 'Of Both 1', 'of both 1']],
    ])
  })

  test('can be taken back, also for some of the names', async () => {
    const { id } = await add('tag', 'Taken Back', 'taken back', 'TAKEN back')
    const ids = await findIds('tag', 'taken')
    await dismiss('tag', { ids })
    await service.patch(id, { tags: ['Taken Back', 'taken back'] })
    expect(await findGroups('tag', 'taken')).toEqual([])
    const answer = await dismiss('tag', { ids: ids.slice(0, 2), dismissed: false })
    expect(parseFields(answer)).toEqual({ ids: ids.slice(0, 2).sort((a, b) => a - b), dismissed: false })
    expect(await findGroups('tag', 'taken')).toEqual([['case', 'Taken Back 1', 'taken back 1']])
    expect((await dismiss('tag', { ids, dismissed: false })).status).toBe(200)
  })

  test('in a dry run changes nothing', async () => {
    await add('tag', 'Dry Run', 'dry run')
    const ids = await findIds('tag', 'dry run')
    const answer = await dismiss('tag', { ids }, '?dry_run=1', { 'Idempotency-Key': 'dry' })
    expect([answer.status, parseFields(answer).dismissed]).toEqual([200, true])
    expect(await findGroups('tag', 'dry run')).toHaveLength(1)
    expect(
      (await dismiss('tag', { ids: [...ids, ids[0]], dismissed: true }, '', { 'Idempotency-Key': 'dry' })).status,
    ).toBe(200)
    await dismiss('tag', { ids, dismissed: false }, '?dry_run=1')
    expect(await findGroups('tag', 'dry run')).toEqual([])
  })

  test('with the same Idempotency-Key again does nothing, with another body is refused', async () => {
    await add('tag', 'Key Used', 'key used')
    const ids = await findIds('tag', 'key used')
    const key = { 'Idempotency-Key': 'dismissed once' }
    const valid = { 'Idempotency-Key': 'dismissed-once' }
    expect((await dismiss('tag', { ids }, '', key)).status).toBe(400)
    const first = await dismiss('tag', { ids }, '', valid)
    await dismiss('tag', { ids, dismissed: false })
    const again = await dismiss('tag', { ids }, '', valid)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await findGroups('tag', 'key used')).toHaveLength(1)
    for (const refused of [
      await dismiss('tag', { ids, dismissed: false }, '', valid),
      await dismiss('speaker', { ids }, '', valid),
      await service.call({
        method: 'POST',
        path: '/api/v2/video',
        as: 'publisher',
        json: { title: 'T', category: 'C' },
        headers: valid,
      }),
    ]) {
      expect([refused.status, parseFields(refused).detail]).toEqual([400, expect.stringContaining('Idempotency-Key')])
    }
  })

  const wrong: readonly (readonly [what: string, json: unknown, errors: readonly string[]])[] = [
    ['without ids', {}, ['ids']],
    ['with one id', { ids: [1] }, ['ids']],
    ['with one id twice', { ids: [1, 1] }, ['ids']],
    ['with no array', { ids: '1,2' }, ['ids']],
    ['with null', { ids: null }, ['ids']],
    ['with texts', { ids: ['1', '2'] }, ['ids']],
    ['with fractions', { ids: [1.5, 2] }, ['ids']],
    ['with 0', { ids: [0, 1] }, ['ids']],
    ['with ids that are too large', { ids: [1, 9007199254740992] }, ['ids']],
    ['with too many ids', { ids: Array.from({ length: 1_001 }, (_, i) => i + 1) }, ['ids']],
    ['with unknown ids', { ids: [1, 999_999] }, ['ids']],
    ['with more fields', { ids: [1, 2], name: 'x' }, ['name']],
    ['with dismissed as a text', { ids: [1, 2], dismissed: 'no' }, ['dismissed']],
  ]
  runTable(
    kinds.flatMap((kind): Row[] => {
      const path = `/api/v2/${kind}/variants/dismiss`
      const row = { method: 'POST', path, json: { ids: [1, 2] } } as const
      return [
        { ...row, name: `${kind}s needs a token`, status: 401 },
        { ...row, name: `${kind}s is not for readers`, as: 'reader', status: 403 },
        { ...row, name: `${kind}s is not for editors`, as: 'editor', status: 403 },
        { ...row, name: `${kind}s is for admins`, as: 'admin', status: 200 },
        { method: 'GET', path, name: `${kind}s has no GET`, as: 'admin', status: 405, has: { Allow: 'POST, OPTIONS' } },
        {
          ...row,
          name: `${kind}s needs JSON`,
          as: 'publisher',
          headers: { 'Content-Type': 'text/plain' },
          status: 415,
        },
        ...wrong.map(
          ([what, json, errors]): Row => ({
            ...row,
            json,
            name: `${kind}s ${what} is 400`,
            as: 'publisher',
            status: 400,
            errors,
          }),
        ),
      ]
    }),
    service,
  )

  test('an unknown id names it', async () => {
    const { errors } = parseFields(await dismiss('tag', { ids: [1, 999_999] }))
    expect(errors).toEqual({ ids: ['There is no tag with the id 999999.'] })
  })
})

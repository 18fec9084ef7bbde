import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type NameKind, useNames } from './curated-names.ts'
import { parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })
const { ask, get, findName, toNew, createTalk, readNames, undo, readBatch } = useNames(service)

const kinds: readonly NameKind[] = ['speaker', 'tag']

describe.each(kinds)('The rename of a %s', (kind) => {
  test('is undone with names, slugs and aliases, and so is the undo', async () => {
    const [old, name] = [toNew('Before'), toNew('After')]
    const talk = await createTalk(kind, ['X', old])
    const { id } = await findName(kind, old)
    const before = (await get(`${kind}/${id}`)).body
    const after = (await ask('PATCH', `${kind}/${id}`, { name })).body
    const undone = await undo((await readBatch()).id)
    expect(undone).toMatchObject({ kind: 'undo', state: 'done', changed: 1, left: [] })
    expect([(await get(`${kind}/${id}`)).body, await readNames(kind, talk)]).toEqual([before, ['X', old]])
    await undo(undone.id)
    expect([(await get(`${kind}/${id}`)).body, await readNames(kind, talk)]).toEqual([after, ['X', name]])
  })

  test('gives records back to the old name where that was written again', async () => {
    const [old, name] = [toNew('Again'), toNew('Anew')]
    const talk = await createTalk(kind, [old])
    const { id } = await findName(kind, old)
    await ask('PATCH', `${kind}/${id}`, { name })
    const { id: batch } = await readBatch()
    await createTalk(kind, [old])
    const again = await findName(kind, old)
    await undo(batch)
    expect(parseFields(await get(`${kind}/${again.id}`))).toMatchObject({ id: again.id, name: old, count: 2 })
    expect(await readNames(kind, talk)).toEqual([old])
    const lost = await get(`${kind}/${id}`)
    expect([lost.status, headerOf(lost, 'Location')]).toEqual([
      301,
      `${service.server().url}/api/v2/${kind}/${again.id}`,
    ])
  })

  test('that is undone leaves a record that got the new name since', async () => {
    const [old, name] = [toNew('First'), toNew('Second')]
    const [talk, changed] = [await createTalk(kind, [old]), await createTalk(kind, [old])]
    const { id } = await findName(kind, old)
    await ask('PATCH', `${kind}/${id}`, { name })
    const { id: batch } = await readBatch()
    await service.patch(changed, { [`${kind}s`]: [name, 'More'] })
    expect(await undo(batch)).toMatchObject({ changed: 1, left: [{ id: changed, fields: [`${kind}s`] }] })
    expect([await readNames(kind, talk), await readNames(kind, changed)]).toEqual([[old], [name, 'More']])
    expect([(await findName(kind, old)).count, (await findName(kind, name)).count]).toEqual([1, 1])
  })
})

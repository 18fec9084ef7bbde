import { describe, expect, test } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { type Call, type Fields, fail, listPath, parseFields, requiredFields, toPath, useService } from './service.ts'
import { getBatches, getHistory, getNewest, getVersion, restore, toHeaderText, undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService()

const because = (reason: string) => ({ 'Change-Reason': toHeaderText(reason) })

async function write(wanted: Omit<Call, 'as'>): Promise<Fields> {
  const call = { ...wanted, as: 'admin' as const }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer.status < 300 ? parseFields(answer) : fail(`${answer.status}: ${answer.body}`)
}

const reasonsOf = async (id: unknown) => (await getHistory(service, id)).results.map(({ reason }) => reason)

/** The newest reason after a PATCH with these bytes in the header. */
async function patchWith(header: string): Promise<unknown> {
  const { id } = await service.create()
  const headers = { 'Change-Reason': header }
  await write({ method: 'PATCH', path: toPath(id), json: { summary: 'x' }, headers })
  return (await getNewest(service, id)).reason
}

describe('A reason', () => {
  test('is kept with the version of every kind of write', async () => {
    const { id } = await write({ method: 'POST', path: listPath, json: requiredFields, headers: because('new') })
    const path = toPath(id)
    const patchType = { 'Content-Type': 'application/json-patch+json' }
    const steps = [{ op: 'replace', path: '/title', value: 'Patched' }]
    await write({ method: 'PATCH', path, json: { title: 'Merged' }, headers: because('merge') })
    await write({ method: 'PATCH', path, json: steps, headers: { ...patchType, ...because('steps') } })
    await write({ method: 'PUT', path, json: requiredFields, headers: because('put') })
    await service.patch(id, { summary: 'without a reason' })
    expect((await restore(service, id, 2, { headers: because('back') })).status).toBe(200)
    expect(await reasonsOf(id)).toEqual(['back', null, 'put', 'steps', 'merge', 'new'])
    expect((await getVersion(service, id, 2)).reason).toBe('merge')
  })

  test('is kept with a batch and with each of its versions', async () => {
    const ids = [await service.create({ category: 'Old' }), await service.create({ category: 'Old' })].map(
      ({ id }) => id,
    )
    const path = '/api/v2/category/old'
    await write({ method: 'PATCH', path, json: { title: 'New' }, headers: because('the new name') })
    const [batch] = (await getBatches(service)).results
    expect(batch).toMatchObject({ reason: 'the new name', records: 2 })
    await undo(service, batch?.id, { headers: because('no, the old') })
    expect((await getBatches(service)).results.map(({ reason }) => reason)).toEqual(['no, the old', 'the new name'])
    for (const id of ids) expect(await reasonsOf(id)).toEqual(['no, the old', 'the new name', null])
  })

  const texts = [
    'Tippfehler im Titel: „Grüße“',
    '発表者の名前を直した',
    'emoji \u{1F600} and <b>markup</b> & more',
    'x'.repeat(500),
    'ü'.repeat(500),
    '\u{1F600}'.repeat(500),
  ]
  for (const text of texts) {
    test(`is read as UTF-8 and kept as it is: ${[...text].slice(0, 20).join('')}`, async () => {
      expect(await patchWith(toHeaderText(text))).toBe(text)
    })
  }

  test('in Latin-1 is read so', async () => {
    expect(await patchWith('Gr\xfc\xdfe')).toBe('Grüße')
  })

  test('is trimmed, and a blank one is none', async () => {
    expect(await patchWith('  why  ')).toBe('why')
    expect(await patchWith('   ')).toBeNull()
    expect(await patchWith('')).toBeNull()
  })

  test('of a write that changes nothing is kept nowhere', async () => {
    const { id } = await service.create({ summary: 'Same' })
    await write({ method: 'PATCH', path: toPath(id), json: { summary: 'Same' }, headers: because('nothing') })
    expect(await reasonsOf(id)).toEqual([null])
  })
})

describe('A reason of more than 500 characters', () => {
  const headers = because('ü'.repeat(501))
  const writes = [
    { method: 'POST', path: listPath, json: requiredFields },
    { method: 'PUT', path: toPath('{id}'), json: requiredFields },
    { method: 'PATCH', path: toPath('{id}'), json: { summary: 'x' } },
    { method: 'PATCH', path: '/api/v2/category/contract-tests', json: { title: 'Other' } },
    { method: 'POST', path: `${toPath('{id}')}/history/1/restore` },
    { method: 'POST', path: '/api/v2/batches/1/undo' },
  ]
  for (const { method, path, ...body } of writes) {
    test(`is refused by ${method} ${path}, and nothing is written`, async () => {
      const { id } = await service.create()
      await service.patch(id, { summary: 'second' })
      const before = await service.read(id)
      const batches = (await getBatches(service)).count
      const call = { method, path: path.replace('{id}', String(id)), as: 'admin' as const, headers, ...body }
      const answer = await service.call(call)
      checkEveryAnswer(call, answer)
      expect([answer.status, parseFields(answer).detail]).toEqual([400, expect.stringContaining('Change-Reason')])
      const after = await service.read(id)
      expect([after.body, (await getBatches(service)).count]).toEqual([before.body, batches])
    })
  }

  test('does no harm to a read', async () => {
    const { id } = await service.create()
    expect((await service.call({ method: 'GET', path: toPath(id), headers })).status).toBe(200)
  })
})

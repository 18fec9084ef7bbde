import { describe, expect, test } from 'bun:test'
import { type Fields, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })

async function send(method: string, target: string, json?: Fields): Promise<Fields> {
  const path = `/api/v2/${target}`
  const answer = await service.call({ method, path, as: 'publisher', ...(json === undefined ? {} : { json }) })
  expect([target, answer.status]).toEqual([target, 200])
  return parseFields(answer)
}

const read = (slug: string) => send('GET', `category/${slug}`)

async function findLastBatch(): Promise<unknown> {
  const { results } = await send('GET', 'batches?page_size=1')
  return Array.isArray(results) ? results[0].id : null
}

/** Renames the event with its other fields, and returns the batch. */
async function rename(slug: string, changes: Fields): Promise<unknown> {
  await send('PATCH', `category/${slug}`, changes)
  return findLastBatch()
}

describe('The undo of a rename of an event', () => {
  test('restores the other fields that were changed with the title', async () => {
    await service.create({ category: 'Harbour days' })
    await send('PATCH', 'category/harbour-days', { description: 'Before', url: 'https://example.org/before' })
    const batch = await rename('harbour-days', { title: 'Harbour nights', description: 'After', whiteboard: 'Renamed' })
    await send('POST', `batches/${batch}/undo`)
    expect(await read('harbour-days')).toMatchObject({
      title: 'Harbour days',
      description: 'Before',
      url: 'https://example.org/before',
      whiteboard: '',
    })
    await send('POST', `batches/${await findLastBatch()}/undo`)
    const again = { title: 'Harbour nights', description: 'After', whiteboard: 'Renamed' }
    expect(await read('harbour-days')).toMatchObject(again)
  })

  test('keeps those that have been changed since', async () => {
    await service.create({ category: 'Tidal days' })
    const batch = await rename('tidal-days', { title: 'Tidal nights', description: 'After', whiteboard: 'Renamed' })
    await send('PATCH', 'category/tidal-days', { description: 'Later' })
    await send('POST', `batches/${batch}/undo`)
    const now = { title: 'Tidal days', description: 'Later', whiteboard: '' }
    expect(await read('tidal-days')).toMatchObject(now)
  })
})

import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { listPath, useService } from './service.ts'
import { runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

const refused: readonly [query: string, name: string, part: RegExp][] = [
  ['missing=nothing', 'missing', /language, recorded, duration/],
  ['missing=language,', 'missing', /separated by commas/],
  ['finding=nothing', 'finding', /missing_language.*outside_event, same_video/],
  ['finding=missing_language;', 'finding', /same_video/],
  ['watchable=yes', 'watchable', /0 or 1/],
  ['whiteboard=yes', 'whiteboard', /0 or 1/],
  ['parked=yes', 'parked', /0 or 1/],
  ['host=https://youtube.com/', 'host', /name of a host/],
  ['host=a%20b', 'host', /name of a host/],
  ['added_after=yesterday', 'added_after', /YYYY-MM-DD/],
  ['added_before=2024-02-30', 'added_before', /YYYY-MM-DD/],
  ['updated_after=2024-01-01T25:00:00', 'updated_after', /YYYY-MM-DD/],
  ['updated_before=2024-01-01T10:00:00%2B02:00', 'updated_before', /UTC/],
]
describe('A bad value is refused:', () => {
  runTable(
    refused.map(([query, name, part]) => ({
      name: query,
      ...{ method: 'GET', path: `${listPath}?${query}`, status: 400, errors: [name], contains: [part] },
    })),
    service,
  )
})

test('none of the parameters is ignored', async () => {
  const names = ['missing=tags', 'finding=same_video', 'whiteboard=1', 'host=a.example', 'by=ann']
  const times = ['added_after', 'added_before', 'updated_after', 'updated_before'].map((name) => `${name}=2020-01-01`)
  const path = `${listPath}?${[...names, ...times].join('&')}&dead=1`
  const answer = await service.call({ method: 'GET', path, as: 'reader' })
  expect(headerOf(answer, 'Ignored-Parameters')).toBe('dead')
})

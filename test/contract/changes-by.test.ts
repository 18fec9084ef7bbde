import { describe } from 'bun:test'
import { streamPath } from './event-stream.ts'
import { useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'] })

const path = '/api/v2/changes'
const author = 'by=the%20reader'

const refusals: readonly Row[] = [path, streamPath]
  .flatMap((at) => [
    { name: `${at} needs a token for by`, path: `${at}?${author}`, status: 401, has: { 'WWW-Authenticate': 'Token' } },
    { name: `${at} needs a token for an empty by`, path: `${at}?by=`, status: 401 },
    { name: `${at} needs it before since is judged`, path: `${at}?${author}&since=x`, status: 401 },
    { name: `${at} judges the method first`, method: 'DELETE', path: `${at}?${author}`, status: 405 },
    {
      name: `${at} judges a wrong token first`,
      method: 'DELETE',
      path: `${at}?${author}`,
      as: 'wrong' as const,
      status: 401,
    },
    { name: `${at} needs no token to be described`, method: 'OPTIONS', path: `${at}?${author}`, status: 200 },
    ...['%00', 'a%0ab', 'x'.repeat(101)].map((name) => ({
      name: `${at} refuses by=${name.slice(0, 9)} by name`,
      path: `${at}?by=${name}`,
      as: 'reader' as const,
      status: 400,
      errors: ['by'],
    })),
  ])
  .map((row) => ({ method: 'GET', ...row }))

describe('by', () => {
  runTable(refusals, service)
  runTable(
    [
      { name: 'needs a token before Accept is judged', path: `${path}?${author}`, status: 401 },
      {
        name: 'is judged before Accept with a token, too',
        path: `${path}?${author}`,
        as: 'reader' as const,
        status: 406,
      },
    ].map((row) => ({ method: 'GET', headers: { Accept: 'image/png' }, ...row })),
    service,
  )
})

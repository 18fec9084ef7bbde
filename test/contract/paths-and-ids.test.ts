import { describe } from 'bun:test'
import { listPath, requiredFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const spellings = [
  '/api/v2/video/{id}',
  '/api/v2/video/{id}/',
  '/api/v2/video/{%id}',
  '/api/v2/video/{%id}/',
  '//api/v2/video/{id}',
  '/api//v2///video/{id}',
  '/api/v2/video//{id}',
  '/api/v2/video/{id}//',
  '///api///v2///video///{id}///',
]

const methods = [
  { method: 'GET' },
  { method: 'HEAD' },
  { method: 'OPTIONS' },
  { method: 'PUT', as: 'admin' as const, json: requiredFields },
  { method: 'PATCH', as: 'admin' as const, json: { summary: 'x' } },
]

const same: readonly Row[] = spellings.flatMap((path) =>
  methods.map((call) => ({
    ...call,
    name: `${call.method} ${path} is the item`,
    path,
    status: 200,
    lacks: ['Location'],
  })),
)

const badIds = [
  '0',
  '00',
  '0{id}',
  '+{id}',
  '-{id}',
  '-1',
  '{id}.0',
  '{id}.',
  '{id}e0',
  '0x1',
  '{id}n',
  '{%25id}',
  '%zz',
  '{id}%zz',
  '{id}%',
  '%',
  '%00',
  '{id}%00',
  '{id}%0a',
  '%20{id}',
  '{id}%20',
  '+',
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '{id}%5C',
  '{id}%2F',
  '{id},{id}',
  '{id};a=1',
  '1_0',
  'abc',
  'NaN',
  'null',
  '%D9%A1',
  '%EF%BC%91',
  '%E0%A5%A7',
  '%C2%B9',
  '%31%FF',
  '9007199254740992',
  '9007199254740993',
  '18446744073709551617',
  '99999999999999999999999999999999',
]

const malformed: readonly Row[] = badIds.flatMap((id) =>
  ['GET', 'HEAD', 'OPTIONS', 'PATCH'].map((method) => ({
    name: `${method} of the id ${id} is not found`,
    method,
    path: toPath(id),
    as: 'admin' as const,
    status: 404,
  })),
)

const wellFormed: readonly Row[] = ['1234567', '9007199254740991'].flatMap((id) => [
  { name: `GET of the well-formed id ${id} is not found`, method: 'GET', path: toPath(id), status: 404 },
  { name: `HEAD of the well-formed id ${id} is not found`, method: 'HEAD', path: toPath(id), status: 404 },
  { name: `OPTIONS of the well-formed id ${id} is answered`, method: 'OPTIONS', path: toPath(id), status: 200 },
  {
    name: `PUT of the well-formed id ${id} makes nothing`,
    method: 'PUT',
    path: toPath(id),
    as: 'admin',
    json: requiredFields,
    status: 404,
  },
  {
    name: `PATCH of the well-formed id ${id} is not found`,
    method: 'PATCH',
    path: toPath(id),
    as: 'admin',
    json: {},
    status: 404,
  },
])

const elsewhere: readonly Row[] = [
  '/api/v2/nothing',
  '/api/v2/video/{id}/nothing',
  '/api/v2/videos',
  '/api/v2/videos/1',
].map((path) => ({ name: `${path} is not found`, method: 'GET', path, as: 'admin' as const, status: 404 }))

const otherMethods: readonly Row[] = ['DELETE', 'POST', 'TRACE'].flatMap((method) => [
  { name: `${method} on the item is not allowed`, method, path: toPath('{id}'), as: 'admin' as const, status: 405 },
  { name: `${method} behind a slash is not allowed`, method, path: toPath('{id}/'), as: 'admin' as const, status: 405 },
  { name: `${method} on an unknown record is not allowed`, method, path: toPath('1234567'), status: 405 },
])

const lists: readonly Row[] = [listPath, `${listPath}/`, '//api//v2//video//'].map((path) => ({
  name: `${path} is the list`,
  method: 'GET',
  path,
  status: 200,
  has: { 'Content-Type': 'application/json' },
  contains: ['"results":'],
}))

describe('The spelling of a path', () => runTable(same, service))

describe('A malformed id', () => runTable(malformed, service))

describe('A well-formed id without a record', () => runTable(wellFormed, service))

describe('Another path', () => runTable(elsewhere, service))

describe('Another method', () => runTable(otherMethods, service))

describe('The list', () => runTable(lists, service))

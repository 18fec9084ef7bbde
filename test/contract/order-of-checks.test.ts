import { describe } from 'bun:test'
import type { HeaderList } from '../harness/raw.ts'
import { listPath, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor'] })

const item = toPath('{id}')
const nobody = toPath('1234567')
const draft = { state: 2 }

const png: HeaderList = { Accept: 'image/png' }
const text: HeaderList = { 'Content-Type': 'text/plain' }
const stale: HeaderList = { 'If-Match': '"stale"' }
const large: HeaderList = { 'Content-Length': '2000000' }

const path: readonly Row[] = [
  { name: 'A malformed id comes before a wrong token', method: 'GET', path: toPath('01'), as: 'wrong', status: 404 },
  { name: 'A malformed id comes before the method', method: 'DELETE', path: toPath('01'), status: 404 },
  { name: 'A malformed id comes before a missing token', method: 'PUT', path: toPath('01'), json: {}, status: 404 },
  { name: 'A malformed id comes before Accept', method: 'GET', path: toPath('01'), headers: png, status: 404 },
  {
    name: 'An unknown path comes before a wrong token',
    method: 'GET',
    path: '/api/v2/nothing',
    as: 'wrong',
    status: 404,
  },
]

const token: readonly Row[] = [
  { name: 'A wrong token comes before the method', method: 'DELETE', path: item, as: 'wrong', status: 401 },
  { name: 'A wrong token comes before Accept', method: 'GET', path: item, as: 'wrong', headers: png, status: 401 },
  { name: 'A wrong token comes before the record', method: 'GET', path: nobody, as: 'wrong', status: 401 },
  {
    name: 'A wrong token comes before the body',
    method: 'PUT',
    path: item,
    as: 'wrong',
    body: '{',
    headers: text,
    status: 401,
  },
  {
    name: 'A wrong token comes before the method on the list',
    method: 'DELETE',
    path: listPath,
    as: 'wrong',
    status: 401,
  },
]

const method: readonly Row[] = [
  { name: 'The method comes before a missing token', method: 'DELETE', path: item, status: 405 },
  { name: 'The method comes before the role', method: 'DELETE', path: item, as: 'reader', status: 405 },
  { name: 'The method comes before Accept', method: 'POST', path: item, headers: png, json: {}, status: 405 },
  { name: 'The method comes before the record', method: 'DELETE', path: nobody, status: 405 },
  {
    name: 'The method comes before the body',
    method: 'POST',
    path: item,
    as: 'admin',
    body: '{',
    headers: text,
    status: 405,
  },
  { name: 'The method comes before a missing token on the list', method: 'PUT', path: listPath, json: {}, status: 405 },
]

const role: readonly Row[] = [
  { name: 'A missing token comes before Accept', method: 'PUT', path: item, headers: png, json: {}, status: 401 },
  {
    name: 'A low role comes before Accept',
    method: 'PUT',
    path: item,
    as: 'reader',
    headers: png,
    json: {},
    status: 403,
  },
  { name: 'A missing token comes before the record', method: 'PATCH', path: nobody, json: {}, status: 401 },
  { name: 'A low role comes before the record', method: 'PATCH', path: nobody, as: 'reader', json: {}, status: 403 },
  {
    name: 'A missing token comes before the body type',
    method: 'PUT',
    path: item,
    body: 'x',
    headers: text,
    status: 401,
  },
  {
    name: 'A low role comes before the size',
    method: 'PUT',
    path: item,
    as: 'reader',
    body: '',
    headers: large,
    status: 403,
  },
  {
    name: 'A missing token comes before the condition',
    method: 'PATCH',
    path: item,
    json: {},
    headers: stale,
    status: 401,
  },
  {
    name: 'A low role comes before the body’s syntax',
    method: 'POST',
    path: listPath,
    as: 'reader',
    body: '{',
    status: 403,
  },
]

const accept: readonly Row[] = [
  { name: 'Accept comes before an unknown record', method: 'GET', path: nobody, headers: png, status: 406 },
  { name: 'Accept comes before a hidden draft', method: 'GET', path: item, fresh: draft, headers: png, status: 406 },
  {
    name: 'Accept comes before the record of a write',
    method: 'PUT',
    path: nobody,
    as: 'admin',
    headers: png,
    json: {},
    status: 406,
  },
  {
    name: 'Accept comes before the body type',
    method: 'PUT',
    path: item,
    as: 'admin',
    body: 'x',
    headers: { ...png, ...text },
    status: 406,
  },
  {
    name: 'Accept comes before the condition',
    method: 'PATCH',
    path: item,
    as: 'admin',
    json: {},
    headers: { ...png, ...stale },
    status: 406,
  },
  {
    name: 'Accept comes before the editor’s live record',
    method: 'PATCH',
    path: item,
    as: 'editor',
    json: {},
    headers: png,
    status: 406,
  },
]

describe('The path is judged first', () => runTable(path, service))

describe('Then the token', () => runTable(token, service))

describe('Then the method', () => runTable(method, service))

describe('Then the role', () => runTable(role, service))

describe('Then Accept', () => runTable(accept, service))

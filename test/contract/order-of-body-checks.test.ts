import { describe } from 'bun:test'
import type { HeaderList } from '../harness/raw.ts'
import { listPath, requiredFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor'] })

const item = toPath('{id}')
const nobody = toPath('1234567')
const draft = { state: 2 }

const text: HeaderList = { 'Content-Type': 'text/plain' }
const stale: HeaderList = { 'If-Match': '"stale"' }
const large: HeaderList = { 'Content-Length': '2000000' }

const record: readonly Row[] = [
  {
    name: 'The record comes before the body type',
    method: 'PUT',
    path: nobody,
    as: 'admin',
    body: 'x',
    headers: text,
    status: 404,
  },
  {
    name: 'The record comes before the size',
    method: 'PUT',
    path: nobody,
    as: 'admin',
    body: '',
    headers: large,
    status: 404,
  },
  {
    name: 'The record comes before the condition',
    method: 'PUT',
    path: nobody,
    as: 'admin',
    json: requiredFields,
    headers: stale,
    status: 404,
  },
  {
    name: 'The record comes before the body’s syntax',
    method: 'PATCH',
    path: nobody,
    as: 'admin',
    body: '{',
    status: 404,
  },
  {
    name: 'The record comes before the fields',
    method: 'PATCH',
    path: nobody,
    as: 'admin',
    json: { nope: 1 },
    status: 404,
  },
  {
    name: 'A live record comes before an editor’s body type',
    method: 'PUT',
    path: item,
    as: 'editor',
    body: 'x',
    headers: text,
    status: 403,
  },
  {
    name: 'A live record comes before an editor’s size',
    method: 'PUT',
    path: item,
    as: 'editor',
    body: '',
    headers: large,
    status: 403,
  },
  {
    name: 'A live record comes before an editor’s condition',
    method: 'PATCH',
    path: item,
    as: 'editor',
    json: {},
    headers: stale,
    status: 403,
  },
  {
    name: 'A live record comes before an editor’s syntax',
    method: 'PATCH',
    path: item,
    as: 'editor',
    body: '{',
    status: 403,
  },
  {
    name: 'A live record comes before an editor’s fields',
    method: 'PATCH',
    path: item,
    as: 'editor',
    json: { nope: 1 },
    status: 403,
  },
]

const body: readonly Row[] = [
  {
    name: 'The body type comes before the size',
    method: 'PUT',
    path: item,
    as: 'admin',
    body: '',
    headers: { ...text, ...large },
    status: 415,
  },
  {
    name: 'The body type comes before the condition',
    method: 'PUT',
    path: item,
    as: 'admin',
    body: 'x',
    headers: { ...text, ...stale },
    status: 415,
  },
  {
    name: 'The body type comes before the syntax',
    method: 'PUT',
    path: item,
    as: 'admin',
    body: '{',
    headers: text,
    status: 415,
  },
  {
    name: 'The size comes before the condition',
    method: 'PUT',
    path: item,
    as: 'admin',
    body: '',
    headers: { ...large, ...stale },
    status: 413,
  },
  {
    name: 'The condition comes before the syntax',
    method: 'PATCH',
    path: item,
    as: 'admin',
    body: '{',
    headers: stale,
    status: 412,
  },
  {
    name: 'The condition comes before the fields',
    method: 'PATCH',
    path: item,
    as: 'admin',
    json: { nope: 1 },
    headers: stale,
    status: 412,
  },
  {
    name: 'The syntax comes before the fields',
    method: 'PATCH',
    path: item,
    as: 'admin',
    body: '{"nope":1,}',
    status: 400,
    errors: [],
  },
  {
    name: 'The condition comes before an editor’s publishing',
    method: 'PATCH',
    path: item,
    fresh: draft,
    as: 'editor',
    json: { state: 1 },
    headers: stale,
    status: 412,
  },
  {
    name: 'The fields come before an editor’s publishing',
    method: 'PATCH',
    path: item,
    fresh: draft,
    as: 'editor',
    json: { state: 1, duration: 'x' },
    status: 400,
    errors: ['duration'],
  },
  {
    name: 'The fields come before an editor’s publishing by POST',
    method: 'POST',
    path: listPath,
    as: 'editor',
    json: { title: 'T', state: 1 },
    status: 400,
    errors: ['category'],
  },
]

describe('The record is judged after token, role and Accept', () => runTable(record, service))

describe('Then the body, from its type to its fields', () => runTable(body, service))

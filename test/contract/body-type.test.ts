import { describe, expect } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { type HeaderList, headerOf } from '../harness/raw.ts'
import { listPath, requiredFields, toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: one engine (media types are judged before the store is asked)

const service = useService()

const item = { path: toPath('{id}'), as: 'admin' as const, json: requiredFields }
const list = { path: listPath, as: 'admin' as const, json: requiredFields }

const writes = [
  { ...item, method: 'PUT', taken: 200 },
  { ...item, method: 'PATCH', taken: 200 },
  { ...list, method: 'POST', taken: 201 },
]

const goodTypes = [
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
]

const badTypes: readonly (string | readonly string[])[] = [
  [],
  'text/plain',
  'text/html',
  'text/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/octet-stream',
  'json',
  '*/*',
]

const taken: readonly Row[] = writes.flatMap(({ taken: status, ...call }) =>
  goodTypes.map((type) => ({
    ...call,
    name: `${call.method} takes ${type}`,
    headers: { 'Content-Type': type },
    status,
  })),
)

const patchTypes = ['application/json', 'application/json-patch+json', 'application/merge-patch+json']

function toRefused(call: Omit<Row, 'name' | 'status'>, name: string, headers: HeaderList): Row {
  const isItem = call.path !== listPath
  const check: Row['check'] = (_, answer) => {
    if (isItem)
      expect(
        headerOf(answer, 'Accept-Patch')
          ?.split(/\s*,\s*/)
          .sort(),
      ).toEqual(patchTypes)
  }
  return { ...call, name, headers, status: 415, check }
}

const refused: readonly Row[] = writes.flatMap(({ taken: _, ...call }) => [
  ...badTypes.map((type) =>
    toRefused(call, `${call.method} refuses the type ${JSON.stringify(type)}`, { 'Content-Type': type }),
  ),
  ...['gzip', 'br', 'deflate'].map((coding) =>
    toRefused(call, `${call.method} refuses the coding ${coding}`, {
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
    }),
  ),
])

const { json: _, ...patch } = { ...item, method: 'PATCH' }

const compressed: readonly Row[] = [
  {
    ...patch,
    name: 'A body that is compressed is refused',
    body: new Uint8Array(gzipSync('{"summary":"x"}')),
    headers: { 'Content-Encoding': 'gzip' },
    status: 415,
  },
]

describe('A body of JSON', () => runTable(taken, service))

describe('A body of another type', () => runTable([...refused, ...compressed], service))

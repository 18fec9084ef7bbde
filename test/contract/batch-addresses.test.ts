import { describe } from 'bun:test'
import { listAllow } from './every-answer.ts'
import { toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'
import { actionAllow, batchPath, readAllow } from './versions.ts'

// Runner: long PostgreSQL

const service = useService()

const undoPath = `${batchPath}/1/undo`
const admin = { as: 'admin' as const }

const rows: readonly Row[] = [
  ...['0', '01', 'x', '7%2F3', '1234567', '9007199254740991', '99999999999999999999'].map((id) => {
    return { name: `There is no batch ${id}`, method: 'POST', path: `${batchPath}/${id}/undo`, status: 404, ...admin }
  }),
  ...['PUT', 'PATCH', 'DELETE'].map((method) => {
    const name = `${method} on the list is not allowed`
    return { name, method, path: batchPath, status: 405, has: { Allow: listAllow }, ...admin }
  }),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => {
    const name = `${method} on an undo is not allowed`
    return { name, method, path: undoPath, status: 405, has: { Allow: actionAllow }, ...admin }
  }),
  { name: 'HEAD of the list has no body', method: 'HEAD', path: batchPath, status: 200, ...admin },
  { name: 'The list is the same behind a slash', method: 'GET', path: `${batchPath}/`, status: 200, ...admin },
  { name: 'OPTIONS of the list is public', method: 'OPTIONS', path: batchPath, status: 200, has: { Allow: listAllow } },
  { name: 'OPTIONS of an undo is public', method: 'OPTIONS', path: undoPath, status: 200, has: { Allow: actionAllow } },
  { name: 'A batch that is not there is not found', method: 'GET', path: `${batchPath}/1`, status: 404, ...admin },
  ...['0', '01', 'x'].map((id) => {
    return { name: `${id} is the number of no batch`, method: 'GET', path: `${batchPath}/${id}`, status: 404, ...admin }
  }),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => {
    const name = `${method} on a batch is not allowed`
    return { name, method, path: `${batchPath}/1`, status: 405, has: { Allow: readAllow }, ...admin }
  }),
  { name: 'A batch’s record is no batch', method: 'POST', path: `${toPath(1)}/undo`, status: 404, ...admin },
  {
    name: 'page_size=0 is refused',
    method: 'GET',
    path: `${batchPath}?page_size=0`,
    status: 400,
    errors: ['page_size'],
    ...admin,
  },
]

describe('The addresses of batches', () => runTable(rows, service))

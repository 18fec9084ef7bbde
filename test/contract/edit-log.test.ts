import { expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { until } from '../harness/until.ts'
import { createCurator, type FieldList, listForms } from './curator.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })

/** Lines of the log about writes to a record, by version: those of several threads come in any order. */
function listWrites(id: number): readonly { readonly version: number }[] {
  const { stdout, stderr } = service.server()
  const lines = `${stdout()}\n${stderr()}`.split('\n').filter((line) => line.includes('"event":"write"'))
  const writes = lines.map((line) => JSON.parse(line)).filter((line) => line.id === id)
  return writes.sort((a, b) => a.version - b.version)
}

test('Every form that changes a talk is logged with its author', async () => {
  const ann = createCurator(service)
  await ann.signIn(service.keyOf('publisher'))
  const fields: FieldList = [
    ['field.title', 'Logged'],
    ['field.category', 'Harbour 2024'],
    ['do', 'create'],
    ['key', crypto.randomUUID()],
  ]
  const made = await ann.post('/edit/new', fields)
  const id = Number(/^\/edit\/video\/(\d+)/.exec(headerOf(made, 'Location') ?? '')?.[1])
  await ann.post('/edit/park', [
    ['id', String(id)],
    ['do', 'park'],
  ])
  const path = `/edit/video/${id}/history/1`
  const form = listForms((await ann.get(path)).body).find(({ action }) => action === path)
  await ann.post(path, [...(form?.fields ?? []), ['do', 'restore']], { token: null })
  await until('all are in the log', async () => listWrites(id).length === 3)
  const by = expect.stringContaining('publisher')
  expect(listWrites(id)).toMatchObject([
    { kind: 'create', version: 1, by },
    { kind: 'merge', version: 2, by, fields: ['whiteboard'] },
    { kind: 'restore', version: 3, by, fields: ['whiteboard'] },
  ])
})

import { expect } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, fail, parseFields, type Service } from './service.ts'
import { type ActionOptions, batchPath } from './versions.ts'

/** The members of a batch, in their order. */
const batchNames = [
  ...['id', 'at', 'by', 'reason', 'kind', 'state', 'total', 'done', 'changed', 'unchanged'],
  ...['refused', 'refused_count', 'left', 'left_count', 'others', 'records', 'undoes', 'undone_by'],
]

/** Bulk changes of one service. */
export function createBulk(service: Service) {
  async function post(json: unknown, options: ActionOptions = {}): Promise<RawAnswer> {
    const { as = 'publisher', headers = {}, query = '' } = options
    const call = { method: 'POST', path: `${batchPath}${query === '' ? '' : `?${query}`}`, as, headers, json }
    const answer = await service.call(call)
    checkEveryAnswer(call, answer)
    return answer
  }

  return {
    post,
    /** A batch that must be made; in the shape that it has at its own address too. */
    async change(json: unknown, options: ActionOptions = {}): Promise<Fields> {
      const answer = await post(json, options)
      if (answer.status !== 201) fail(`${answer.status}: ${answer.body}`)
      const batch = parseFields(answer)
      expect(Object.keys(batch)).toEqual(batchNames)
      expect(headerOf(answer, 'Content-Location')).toEndWith(`${batchPath}/${batch.id}`)
      expect([headerOf(answer, 'Location'), headerOf(answer, 'Cache-Control')]).toEqual([null, 'private, no-store'])
      const read = await service.call({ method: 'GET', path: `${batchPath}/${batch.id}`, as: 'admin' })
      expect(parseFields(read)).toEqual(batch)
      return batch
    },
    async dryRun(json: unknown, options: ActionOptions = {}): Promise<Fields> {
      const answer = await post(json, { ...options, query: `dry_run=1${options.query ?? ''}` })
      if (answer.status !== 200) fail(`${answer.status}: ${answer.body}`)
      const told = parseFields(answer)
      expect(Object.keys(told)).toEqual([...batchNames, 'differences', 'next', 'as_of'])
      expect([told.id, headerOf(answer, 'Content-Location')]).toEqual([null, null])
      return told
    },
    async createMany(count: number, fields: Fields = {}): Promise<number[]> {
      const ids: number[] = []
      for (let i = 0; i < count; i++) ids.push(Number((await service.create(fields)).id))
      return ids
    },
    readAll: (ids: readonly number[]) =>
      Promise.all(ids.map(async (id): Promise<Fields> => parseFields(await service.read(id)))),
    async countBatches(): Promise<unknown> {
      return parseFields(await service.call({ method: 'GET', path: batchPath, as: 'admin' })).count
    },
  }
}

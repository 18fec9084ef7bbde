import type { HeaderList, RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer } from './every-answer.ts'
import { type ListPage, toPage } from './list-page.ts'
import { type Fields, fail, parseFields, type Role, type Service, toPath } from './service.ts'

export const readAllow = 'GET, HEAD, OPTIONS'
export const actionAllow = 'POST, OPTIONS'
export const batchPath = '/api/v2/batches'

export function toHistoryPath(id: unknown): string {
  return `${toPath(id)}/history`
}

/** A page of a record's history, which must be there. */
export function getHistory(service: Service, id: unknown, query = '', as: Role = 'admin'): Promise<ListPage> {
  return getLogPage(service, toHistoryPath(id), query, as)
}

export function getBatches(service: Service, query = ''): Promise<ListPage> {
  return getLogPage(service, batchPath, query, 'admin')
}

async function getLogPage(service: Service, path: string, query: string, as: Role): Promise<ListPage> {
  const call = { method: 'GET', path: `${path}${query === '' ? '' : `?${query}`}`, as }
  const answer = await service.call(call)
  if (answer.status !== 200) fail(`${call.path} got ${answer.status}: ${answer.body}`)
  checkEveryAnswer(call, answer)
  return toPage(answer)
}

export async function getNewest(service: Service, id: unknown): Promise<Fields> {
  const { results } = await getHistory(service, id, 'page_size=1')
  return results[0] ?? fail(`Record ${id} has no history`)
}

/** One version, which must be there. */
export async function getVersion(service: Service, id: unknown, number: number): Promise<Fields> {
  const call = { method: 'GET', path: `${toHistoryPath(id)}/${number}`, as: 'admin' as const }
  const answer = await service.call(call)
  if (answer.status !== 200) fail(`${call.path} got ${answer.status}: ${answer.body}`)
  checkEveryAnswer(call, answer)
  return parseFields(answer)
}

/** The names of the fields that a version changed, sorted. */
export function toChangedNames({ changed }: Fields): readonly string[] {
  return Array.isArray(changed) ? changed.map(String).sort() : fail(`Not a list of names: ${changed}`)
}

export type ActionOptions = { readonly as?: Role; readonly headers?: HeaderList; readonly query?: string }

export function restore(service: Service, id: unknown, number: unknown, options: ActionOptions = {}) {
  return act(service, `${toHistoryPath(id)}/${number}/restore`, options)
}

export function undo(service: Service, batch: unknown, options: ActionOptions = {}) {
  return act(service, `${batchPath}/${batch}/undo`, options)
}

async function act(service: Service, path: string, options: ActionOptions): Promise<RawAnswer> {
  const { as = 'admin', headers = {}, query = '' } = options
  const call = { method: 'POST', path: `${path}${query === '' ? '' : `?${query}`}`, as, headers }
  const answer = await service.call(call)
  checkEveryAnswer(call, answer)
  return answer
}

/** The bytes of UTF-8, one character each, as the harness writes headers. */
export function toHeaderText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

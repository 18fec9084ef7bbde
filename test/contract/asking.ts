import { headerOf } from '../harness/raw.ts'
import { parseFields, type Service } from './service.ts'

type Method = 'GET' | 'PUT' | 'DELETE' | 'POST'
export type More = {
  readonly as?: 'none' | 'reader' | 'editor' | 'publisher' | 'admin'
  readonly [header: string]: string | undefined
}

/** Sends requests in a role, and reads of the answers what tests of companions compare. */
export const createAsk = (service: Service) =>
  async function ask(method: Method, path: string, json?: unknown, { as = 'publisher', ...given }: More = {}) {
    const headers = Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    const answer = await service.call({ method, path, as, headers, ...(json === undefined ? {} : { json }) })
    return {
      status: answer.status,
      etag: headerOf(answer, 'ETag') ?? '',
      caching: headerOf(answer, 'Cache-Control'),
      body: answer.body,
      fields: () => parseFields(answer),
    }
  }

import type { HeaderList, RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer, resultsOf } from './every-answer.ts'
import { type Fields, fail, parseFields, type Role, type Service } from './service.ts'

export type NameKind = 'speaker' | 'tag'

/** The field of records for each kind of names. */
const fieldOf = { speaker: 'speakers', tag: 'tags' } as const

/** What a name has beside these while nobody has said anything of it. */
export const unsaidOf = { speaker: { note: '', links: [] }, tag: {} } as const

/** Requests of curators, each held against the description. */
export function useNames(service: Service) {
  let made = 0

  async function ask(
    method: string,
    path: string,
    json?: unknown,
    as: Role = 'publisher',
    headers: HeaderList = {},
  ): Promise<RawAnswer> {
    const call = { method, path: `/api/v2/${path}`, as, headers, ...(json === undefined ? {} : { json }) }
    const answer = await service.call(call)
    checkEveryAnswer(call, answer)
    return answer
  }

  const get = (path: string, as: Role = 'publisher') => ask('GET', path, undefined, as)

  /** The entry of a name that has records. */
  async function findName(kind: NameKind, name: string): Promise<Fields> {
    const query = `${kind}?page_size=100&q=${encodeURIComponent(name)}`
    const found = resultsOf(await get(query)).find((each) => each.name === name)
    return found ?? fail(`there is no ${kind} ${name}`)
  }

  /** A name that no other test has. */
  const toNew = (name: string) => `${name} ${++made}`

  /** A live record with these names. */
  async function createTalk(kind: NameKind, names: readonly string[], more: Fields = {}): Promise<number> {
    return Number((await service.create({ [fieldOf[kind]]: names, ...more })).id)
  }

  async function readNames(kind: NameKind, id: number): Promise<unknown> {
    return parseFields(await service.read(id))[fieldOf[kind]]
  }

  async function undo(batch: unknown, as: Role = 'publisher'): Promise<Fields> {
    const answer = await ask('POST', `batches/${batch}/undo`, undefined, as)
    return answer.status === 200 ? parseFields(answer) : fail(`${answer.status}: ${answer.body}`)
  }

  /** The newest batch. */
  async function readBatch(): Promise<Fields> {
    return resultsOf(await get('batches?page_size=1'))[0] ?? {}
  }

  return { ask, get, findName, toNew, createTalk, readNames, undo, readBatch }
}

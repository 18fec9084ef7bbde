import type { HeaderList, RawAnswer } from '../harness/raw.ts'
import { checkEveryAnswer, resultsOf } from './every-answer.ts'
import { type Call, type Fields, fail, isFields, type Role, type Service } from './service.ts'

type Kind = 'speaker' | 'tag'
export const kinds: readonly Kind[] = ['speaker', 'tag']

export const namesOf = (names: unknown): readonly Fields[] =>
  Array.isArray(names) ? names.filter(isFields) : fail('no names')

/** Requests about variants; every answer is checked. */
export function createVariantCalls(service: Service) {
  async function call(wanted: Call): Promise<RawAnswer> {
    const answer = await service.call(wanted)
    checkEveryAnswer(wanted, answer)
    return answer
  }

  const getVariants = (kind: Kind, query = '', as: Role = 'reader', headers: HeaderList = {}) =>
    call({ method: 'GET', path: `/api/v2/${kind}/variants${query}`, as, headers })

  const dismiss = (kind: Kind, json: unknown, query = '', headers: HeaderList = {}) =>
    call({ method: 'POST', path: `/api/v2/${kind}/variants/dismiss${query}`, as: 'publisher', json, headers })

  /** The groups of names with this word: their reasons, and their names with counts. */
  async function findGroups(kind: Kind, word: string): Promise<unknown[]> {
    const groups = resultsOf(await getVariants(kind, '?page_size=100')).map(({ reason, names }) => [
      reason,
      ...namesOf(names).map(({ name, count }) => `${name} ${count}`),
    ])
    return groups.filter((group) => group.some((each) => String(each).toLowerCase().includes(word)))
  }

  async function findIds(kind: Kind, word: string): Promise<readonly number[]> {
    const [group] = resultsOf(await getVariants(kind, '?page_size=100')).filter(({ names }) =>
      namesOf(names).some(({ name }) => String(name).toLowerCase().includes(word)),
    )
    return namesOf(group?.names).map(({ id }) => Number(id))
  }

  const add = (kind: Kind, ...names: readonly string[]) => service.create({ [`${kind}s`]: names })

  return { getVariants, dismiss, findGroups, findIds, add }
}

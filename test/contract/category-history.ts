import { expect } from 'bun:test'
import { checkEveryAnswer, resultsOf } from './every-answer.ts'
import { type Fields, parseFields, type Service } from './service.ts'

/** Reads what a category was, as a token holder. */
export function useCategoryHistory(service: Service) {
  async function read(path: string) {
    const call = { method: 'GET', path: `/api/v2/category/${path}`, as: 'reader' as const }
    const answer = await service.call(call)
    expect(answer.status).toBe(200)
    checkEveryAnswer(call, answer)
    return answer
  }
  return {
    listHistory: async (slug: string): Promise<readonly Fields[]> => resultsOf(await read(`${slug}/history`)),
    readVersion: async (slug: string, number: number): Promise<Fields> =>
      parseFields(await read(`${slug}/history/${number}`)),
  }
}

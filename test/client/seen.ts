import type { Result, VideoRecord } from '../../src/client/client.ts'

/** What a part of the scenario saw. */
export type Seen = Readonly<Record<string, unknown>>

export const toStatus = (result: Result<unknown>) => (result.ok ? 'ok' : result.problem.status)

export const toTitle = (result: Result<VideoRecord>) => (result.ok ? result.value.title : result.problem.detail)

export async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const result of results) all.push(result)
  return all
}

/** The values of a list; throws on a failure. */
export async function collectValues<T>(results: AsyncIterable<Result<T>>): Promise<T[]> {
  return (await collect(results)).map(unwrap)
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.status}: ${result.problem.detail}`)
  return result.value
}

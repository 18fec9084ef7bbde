import { afterAll, beforeAll } from 'bun:test'
import { type Server, startServer } from '../harness/server.ts'

export type Json = Readonly<Record<string, unknown>>

type Archive = {
  readonly url: () => string
  readonly token: () => string
  /** Makes a live record; gives it as it was answered. */
  readonly add: (fields: Json) => Promise<Json>
}

/** A server with as many live records as wanted, for a client to be let loose on. */
export function useArchive(records: readonly Json[] = []): Archive {
  let server: Server | null = null
  const running = () => server ?? fail('the server has not started')
  const add = async (fields: Json) => {
    const headers = { Authorization: `Token ${running().adminKey}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ state: 1, ...fields })
    const answer = await fetch(`${running().url}/api/v2/video/`, { method: 'POST', headers, body })
    return answer.status === 201 ? readJson(answer) : fail(`${answer.status} ${await answer.text()}`)
  }
  beforeAll(async () => {
    server = await startServer()
    for (const fields of records) await add(fields)
  }, 180_000)
  afterAll(() => server?.kill9())
  return { url: () => running().url, token: () => running().adminKey, add }
}

export async function readJson(answer: Response): Promise<Json> {
  const value: unknown = await answer.json()
  return isJson(value) ? value : fail(`no object: ${JSON.stringify(value)}`)
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : fail(`no list: ${JSON.stringify(value)}`)
}

export function fail(message: string): never {
  throw new Error(message)
}

import { expect } from 'bun:test'
import type { Answer } from './connection.ts'

/** How a request is sent: on one kept connection, or on a new one each. */
type Send = (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<Answer>

type Fields = Readonly<Record<string, unknown>>

/** A record as a write's answer showed it. */
export type Written = { readonly id: number; readonly etag: string; readonly body: string }

export type RecordClient = {
  readonly create: (fields: Fields) => Promise<Answer>
  readonly read: (id: number) => Promise<Answer>
  readonly put: (id: number, fields: Fields, headers?: Record<string, string>) => Promise<Answer>
  readonly patch: (id: number, changes: Fields, headers?: Record<string, string>) => Promise<Answer>
}

export function createRecordClient(send: Send, key: string): RecordClient {
  const json = { Authorization: `Token ${key}`, 'Content-Type': 'application/json' }
  return {
    create: (fields) =>
      send('POST', '/api/v2/video', json, JSON.stringify({ category: 'Faults', state: 1, ...fields })),
    read: (id) => send('GET', `/api/v2/video/${id}`, { Authorization: json.Authorization }),
    put: (id, fields, headers = {}) =>
      send('PUT', `/api/v2/video/${id}`, { ...json, ...headers }, JSON.stringify({ category: 'Faults', ...fields })),
    patch: (id, changes, headers = {}) =>
      send('PATCH', `/api/v2/video/${id}`, { ...json, ...headers }, JSON.stringify(changes)),
  }
}

/** What a successful write answered. Anything but 200 or 201 fails the test with the answer's body. */
export function toWritten(answer: Answer): Written {
  if (answer.status !== 200 && answer.status !== 201) expect(`${answer.status} ${answer.body}`).toBe('200 or 201')
  const { id } = parseRecord(answer.body)
  return { id: Number(id), etag: answer.headers.get('etag') ?? '', body: answer.body }
}

export function parseRecord(body: string): Fields {
  const value: unknown = JSON.parse(body)
  if (typeof value !== 'object' || value === null) throw new Error(`no record: ${body}`)
  return { ...value }
}

/** The number that a test last wrote into the record. */
export function readCounter(answer: Answer): number {
  expect(answer.status).toBe(200)
  return Number(parseRecord(answer.body).whiteboard)
}

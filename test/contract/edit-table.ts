import { expect } from 'bun:test'
import { createEditTable } from '../../src/edit/routes.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'

// Only handlers use the store, and none is called.
const deps = { settings: { playerHosts: [], hasThumbnails: true } } as unknown as Parameters<typeof createEditTable>[0]

/** Every page for curators with each of its methods, as the table of routes has them. */
export const editRows = createEditTable(deps).flatMap(({ path, rows }) =>
  Object.entries(rows).map(([method, { role }]) => ({ path, method, role })),
)

const samples = { kind: 'speaker', version: '1', slug: 'contract-tests' }

/** Every talk has these names, whose ids are 1. */
export const sampleNames = { speakers: ['A speaker'], tags: ['A tag'] }

/** The address of a page about a talk with the names above. */
export const toEditAddress = (path: string, id: unknown) =>
  Object.entries({ ...samples, id: path.startsWith('/edit/names/') ? 1 : id }).reduce(
    (filled, [name, value]) => filled.replace(`:${name}`, String(value)),
    path,
  )

/** Pages and errors alike are for their reader alone, and in no frame. */
export function checkEditHeaders(answer: RawAnswer): void {
  const names = ['Cache-Control', 'X-Content-Type-Options', 'Referrer-Policy', 'X-Robots-Tag']
  const own = ['private, no-store', 'nosniff', 'same-origin', 'noindex']
  expect(names.map((name) => headerOf(answer, name))).toEqual(own)
  expect(headerOf(answer, 'Content-Security-Policy')).toContain("frame-ancestors 'none'")
  const absent = ['ETag', 'Content-Encoding', 'Access-Control-Allow-Origin']
  expect(absent.map((name) => headerOf(answer, name))).toEqual([null, null, null])
}

import fc from 'fast-check'
import type { JsonObject } from '../../src/record/json.ts'
import type { VideoRecord } from '../../src/record/record.ts'
import { partBody, toChanges, wholeBody } from '../record/arbitrary.ts'
import { createRecord } from '../site/talk-record.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** Line breaks of every sort, also first and last, where forms go wrong. */
const breaks = fc.array(fc.constantFrom('\n', '\r\n', '\r', '\n\n', 'line', ' ', '\t'), { maxLength: 8 })
const lines = breaks.map((parts) => parts.join(''))
const texts = fc.record(
  {
    summary: lines,
    description: fc.tuple(lines, lines).map((parts) => parts.join('word')),
    quality_notes: lines,
    copyright_text: lines,
    whiteboard: lines,
    title: lines.map((text) => `a${text}z`),
    speakers: fc.array(
      lines.map((text) => `a${text}z`),
      { maxLength: 5 },
    ),
  },
  { requiredKeys: [] },
)

/** Any record that the service stores. */
export const anyRecord: fc.Arbitrary<VideoRecord> = fc
  .tuple(wholeBody, fc.oneof(fc.constant({}), texts))
  .map(([body, more]) => createRecord(toChanges({ ...body, ...more }, 'whole') as Partial<VideoRecord>))

/** A value for one field, as the service would store it. */
export const anyChange: fc.Arbitrary<JsonObject> = fc
  .tuple(partBody, texts, fc.nat())
  .map(([body, more, at]) => {
    const changes = toChanges({ ...body, ...more } as JsonObject, 'part')
    const names = Object.keys(changes)
    const name = names[at % Math.max(1, names.length)]
    return Object.fromEntries(Object.entries(changes).filter(([each]) => each === name)) as JsonObject
  })
  .filter((changes) => Object.keys(changes).length === 1)

export const toLf = (value: unknown) => (isText(value) ? value.replace(/\r\n?/g, '\n') : value)

import fc from 'fast-check'
import { toEmbed } from '../../src/record/embed.ts'
import type { JsonObject, JsonValue } from '../../src/record/json.ts'
import { type Changes, parseFields } from '../../src/record/record.ts'

/** Text of every sort that a record may hold: other scripts, astral characters, markup, line ends. */
const anyText = fc
  .string({ unit: 'binary', maxLength: 60 })
  .map((text) => text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, ''))
const markup = fc.constantFrom('<script>alert(1)</script>', '</title>&amp;', '<!--', ']]>', '\u2028', '"\\', '💡<b>')
const richText = fc.tuple(anyText, markup, anyText).map((parts) => parts.join(''))
const anyName = fc.oneof(anyText, richText).map((text) => `n${text}`.slice(0, 80).toWellFormed())
const anyUrl = fc.webUrl({ withQueryParameters: true })
const youTube = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/).map((id) => `https://www.youtube.com/watch?v=${id}`)
const sourceUrl = fc.oneof(fc.constant(''), anyUrl, youTube)
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const media = (format: string) => ({
  [`video_${format}_length`]: fc.option(fc.nat()),
  [`video_${format}_url`]: fc.option(fc.oneof(fc.constant(''), anyUrl)),
  [`video_${format}_download_only`]: fc.boolean(),
})

const fields = {
  category: anyName,
  title: anyName,
  language: fc.constantFrom('', 'English', 'deu', 'JA', 'norwegian bokmål'),
  speakers: fc.array(anyName, { maxLength: 4 }),
  tags: fc.array(anyName, { maxLength: 4 }),
  state: fc.constantFrom(1, 2),
  summary: richText,
  description: richText,
  quality_notes: anyText,
  copyright_text: anyText,
  embed: fc.oneof(fc.constant(''), youTube.map(toEmbed)),
  thumbnail_url: fc.oneof(fc.constant(''), anyUrl),
  duration: fc.option(fc.nat(10_000_000)),
  ...media('ogv'),
  ...media('mp4'),
  ...media('webm'),
  ...media('flv'),
  source_url: sourceUrl,
  whiteboard: anyText,
  recorded: fc.option(day),
}

/** Bodies that are valid: whole ones have the required fields, parts have any. */
export const wholeBody: fc.Arbitrary<JsonObject> = fc.record<Record<string, JsonValue>>(fields, {
  requiredKeys: ['category', 'title'],
})
export const partBody: fc.Arbitrary<JsonObject> = fc.record<Record<string, JsonValue>>(fields, { requiredKeys: [] })

export function toChanges(body: JsonObject, kind: 'whole' | 'part'): Changes {
  const parsed = parseFields(body, kind, null)
  if (!parsed.ok) throw new Error(`an arbitrary body is wrong: ${JSON.stringify([body, ...parsed.errors])}`)
  return parsed.changes
}

import { accept, type ParsedCompanion, refuse } from '../companion/companion.ts'
import { findBadText } from '../field-kind.ts'
import type { JsonObject } from '../json.ts'
import { parseLanguageTag } from '../text/language.ts'
import { toText } from './captions.ts'
import { type Cue, maxCueLength, type Transcript } from './transcript.ts'

/** A word or phrase to replace in every transcript, or in those of one language. */
export type Replacement = { readonly find: string; readonly replace: string; readonly language?: string }

const maxLength = 200

/** `{"find": "Jango", "replace": "Django", "language": "en"}` */
export function parseReplacement({ find, replace, language, ...others }: JsonObject): ParsedCompanion<Replacement> {
  const problems = Object.keys(others).map((name) => `There is no ${JSON.stringify(name)}.`)
  const tag = typeof language === 'string' ? parseLanguageTag(language) : null
  const badFind = typeof find === 'string' && find !== '' ? findBadPhrase(find) : 'Must be a text.'
  const badReplace = typeof replace === 'string' ? findBadPhrase(replace) : 'Must be a text.'
  if (badFind !== null) problems.push(`"find": ${badFind}`)
  if (badReplace !== null) problems.push(`"replace": ${badReplace}`)
  if (language !== undefined && tag === null) problems.push('"language" must be a language tag such as en or pt-BR.')
  if (problems.length > 0) return refuse('transcripts', problems)
  return accept({ find: String(find), replace: String(replace), ...(tag === null ? {} : { language: tag }) })
}

const findBadPhrase = (text: string) =>
  text === toText(text).replaceAll('\n', ' ')
    ? findBadText(text, maxLength)
    : 'Must be one line, without spaces around it.'

const isWordCharacter = (text: string) => /^[\p{L}\p{N}\p{M}_]/u.test(text)

/** Whole words only, and in the same case: "Jango" is in “Jango's”, and not in “Jangology”. */
function replaceWords(text: string, find: string, replace: string): string {
  let [result, from] = ['', 0]
  for (let offset = text.indexOf(find); offset >= 0; offset = text.indexOf(find, offset + find.length)) {
    const [before, after] = [
      text.slice(Math.max(0, offset - 2), offset),
      text.slice(offset + find.length, offset + find.length + 2),
    ]
    const isInside =
      (isWordCharacter([...before].at(-1) ?? '') && isWordCharacter(find)) ||
      (isWordCharacter(after) && isWordCharacter([...find].at(-1) ?? ''))
    if (isInside) continue
    result += text.slice(from, offset) + replace
    from = offset + find.length
  }
  return result + text.slice(from)
}

/** Null if a cue would be too long. Removes cues that become empty. */
export function replaceInTranscript(transcript: Transcript, { find, replace }: Replacement): Transcript | null {
  const cues: Cue[] = []
  for (const cue of transcript.cues) {
    const text = cue.text.includes(find) ? toText(replaceWords(cue.text, find, replace)) : cue.text
    if (text.length > maxCueLength && [...text].length > maxCueLength) return null
    if (text !== '') cues.push({ ...cue, text })
  }
  return { ...transcript, cues }
}

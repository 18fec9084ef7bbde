import languageCodes from './language-codes.json'

const codeByName = new Map(Object.entries(languageCodes))

/** The ISO 639-3 code of a language, by its English name; null where there is none. */
export function toLanguageCode(name: string): string | null {
  return codeByName.get(name) ?? null
}

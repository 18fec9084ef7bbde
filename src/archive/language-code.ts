import { toLanguageName } from '../record/language.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz']
let codes: Map<string, string> | null = null

/** The ISO 639-3 code of a language, by its English name; null where there is none. */
export function toLanguageCode(name: string): string | null {
  codes ??= listCodes()
  return codes.get(name) ?? null
}

/** All words of three letters that name a language: what the codes are is the platform's knowledge, not a list of ours. */
function listCodes(): Map<string, string> {
  const found = new Map<string, string>()
  for (const a of letters) {
    for (const b of letters) {
      for (const c of letters) {
        const code = `${a}${b}${c}`
        const name = toLanguageName(code)
        if (name !== null && !found.has(name)) found.set(name, code)
      }
    }
  }
  return found
}

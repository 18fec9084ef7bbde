import { toLanguageName } from '../record/language.ts'

/** Codes that ISO 639-2 keeps for libraries beside the ones of ISO 639-3, and three that were taken back. */
const others = 'alb arm baq bur chi cze dut fre geo ger gre ice mac mao may per rum slo tib wel mol scc scr'.split(' ')
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
        if (name === null || others.includes(code)) continue
        // Of several the one that begins like the short code: zho for zh, not a part of Chinese.
        const short = Intl.getCanonicalLocales(code)[0] ?? ''
        if (!found.has(name) || (short.length === 2 && code.startsWith(short))) found.set(name, code)
      }
    }
  }
  return found
}

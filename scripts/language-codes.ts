// Writes src/archive/language-codes.json: the ISO 639-3 code of each language, by its English name.
// Asking Intl for all of them takes a quarter of a second, as long as an import of a thousand talks; run this again
// when Bun changes, after language-names.ts.
import { toLanguageName } from '../src/record/text/language.ts'

/** Codes that ISO 639-2 keeps for libraries beside the ones of ISO 639-3, and three that were taken back. */
const others = 'alb arm baq bur chi cze dut fre geo ger gre ice mac mao may per rum slo tib wel mol scc scr'.split(' ')
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}`)))

/** All words of three letters that name a language: what the codes are is the platform's knowledge, not a list of ours. */
export function collectLanguageCodes(): Record<string, string> {
  const found = new Map<string, string>()
  for (const code of codes) {
    const name = toLanguageName(code)
    if (name === null || others.includes(code)) continue
    // Of several the one that begins like the short code: zho for zh, not a part of Chinese.
    const short = Intl.getCanonicalLocales(code)[0] ?? ''
    if (!found.has(name) || (short.length === 2 && code.startsWith(short))) found.set(name, code)
  }
  return Object.fromEntries(found)
}

if (import.meta.main) {
  const target = new URL('../src/archive/language-codes.json', import.meta.url)
  await Bun.write(target, `${JSON.stringify(collectLanguageCodes(), null, 1)}\n`)
}

// Writes src/archive/language-codes.json: the ISO 639-3 code of each language, by its English name.
// Asking Intl for all of them takes a quarter of a second, as long as an import of a thousand talks. Run it again after a
// Bun upgrade, after language-names.ts.
import { parseLanguageName } from '../src/record/text/language.ts'

/** ISO 639-2 bibliographic codes that differ from ISO 639-3, and three withdrawn codes. */
const others = 'alb arm baq bur chi cze dut fre geo ger gre ice mac mao may per rum slo tib wel mol scc scr'.split(' ')
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}`)))

/** All three-letter codes that Intl knows as a language, so that we keep no list of our own. */
export function collectLanguageCodes(): Record<string, string> {
  const found = new Map<string, string>()
  for (const code of codes) {
    const name = parseLanguageName(code)
    if (name === null || others.includes(code)) continue
    // Of several codes, the one that begins like the two-letter code: zho for zh, not a variety of Chinese.
    const short = Intl.getCanonicalLocales(code)[0] ?? ''
    if (!found.has(name) || (short.length === 2 && code.startsWith(short))) found.set(name, code)
  }
  return Object.fromEntries(found)
}

if (import.meta.main) {
  const target = new URL('../src/archive/language-codes.json', import.meta.url)
  await Bun.write(target, `${JSON.stringify(collectLanguageCodes(), null, 1)}\n`)
}

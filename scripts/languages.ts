// Writes src/record/text/languages.json: every language that Bun's Intl knows by its English name, with its codes.
// Asking Intl for all of them takes half a second, too long for a start. Run it again after a Bun upgrade.
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = letters.flatMap((a) => letters.map((b) => a + b))
const triples = pairs.flatMap((pair) => letters.map((c) => pair + c))
const display = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Codes that stand for no particular language. */
const noLanguages = ['mul', 'und', 'zxx']
/** ISO 639-2 bibliographic codes that differ from ISO 639-3, and three withdrawn codes. */
const older = 'alb arm baq bur chi cze dut fre geo ger gre ice mac mao may per rum slo tib wel mol scc scr'.split(' ')

/** By name: the code that browsers know, the ISO 639-3 code (if it is another), then all other codes. */
export function collectLanguages(): Record<string, string> {
  const languages = new Map<string, string[]>()
  for (const code of [...pairs, ...triples]) {
    const name = findName(code)
    if (name !== null) languages.set(name, [...(languages.get(name) ?? []), code])
  }
  return Object.fromEntries([...languages].map(([name, codes]) => [name, sortCodes(codes).join(' ')]))
}

function findName(code: string): string | null {
  const canonical = toCanonical(code)
  return noLanguages.includes(code) || !/^[a-z]{2,3}$/.test(canonical) ? null : (display.of(canonical) ?? null)
}

const toCanonical = (code: string) => Intl.getCanonicalLocales(code)[0] ?? ''

/** `eng` is another code for `en`; of several canonical codes, the first is a short one, if there is any. */
function sortCodes(codes: readonly string[]): string[] {
  const [known = ''] = codes.filter((code) => toCanonical(code) === code)
  const current = codes.filter((code) => code.length === 3 && !older.includes(code))
  // The one that begins like the two-letter code: zho for zh, not a variety of Chinese.
  const iso = current.findLast((code) => code.startsWith(known) && toCanonical(code) === known) ?? current[0]
  return [...new Set([known, ...(iso === undefined ? [] : [iso]), ...codes])]
}

if (import.meta.main) {
  const target = new URL('../src/record/text/languages.json', import.meta.url)
  await Bun.write(target, `${JSON.stringify(collectLanguages(), null, 1)}\n`)
}

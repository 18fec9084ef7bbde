// Writes src/record/text/language-names.json: every language code that Bun's Intl knows, with its English name.
// Asking Intl for all of them takes half a second, too long for a start. Run it again after a Bun upgrade.
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = letters.flatMap((a) => letters.map((b) => a + b))
const codes = [...pairs, ...pairs.flatMap((pair) => letters.map((c) => pair + c))]
const display = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Codes that stand for no particular language. */
const noLanguages = ['mul', 'und', 'zxx']

/** Canonical codes only: `eng` is another code for `en`. */
export function collectLanguageNames(): Record<string, string> {
  const known = codes.filter((code) => !noLanguages.includes(code) && Intl.getCanonicalLocales(code)[0] === code)
  return Object.fromEntries(known.flatMap((code) => toEntry(code)))
}

function toEntry(code: string): [string, string][] {
  const name = display.of(code)
  return name === undefined ? [] : [[code, name]]
}

if (import.meta.main) {
  const target = new URL('../src/record/text/language-names.json', import.meta.url)
  await Bun.write(target, `${JSON.stringify(collectLanguageNames(), null, 1)}\n`)
}

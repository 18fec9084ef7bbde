/** A licence that we know, with the page that explains it. */
interface Licence {
  readonly name: string
  readonly url: string
}

const known: readonly (readonly [RegExp, Licence])[] = [
  [/^standard youtube licen[sc]e$|^youtube standard licen[sc]e$|youtube\.com\/t\/terms$/i, toYouTube()],
  [/^(?:cc0|cc zero|public domain dedication)\b/i, toZero()],
]

/** Null for an unknown licence; pages show its text instead. */
export function findLicence(text: string): Licence | null {
  const line = text.trim()
  if (line.length > 300) return null
  return known.find(([pattern]) => pattern.test(line))?.[1] ?? findCreativeCommons(line)
}

function toYouTube(): Licence {
  return { name: 'Standard YouTube License', url: 'https://www.youtube.com/t/terms' }
}

function toZero(): Licence {
  return { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' }
}

/** In any of its spellings: `CC BY-SA 4.0`, `Creative Commons Attribution-ShareAlike 3.0`, the URL of the licence. */
function findCreativeCommons(line: string): Licence | null {
  const text = line.toLowerCase()
  if (/creativecommons\.org\/publicdomain\/zero\//.test(text)) return toZero()
  if (!/^(?:cc[ -]by\b|creative commons\b|https?:\/\/creativecommons\.org\/licenses\/by)/.test(text)) return null
  if (!/\bby\b|attribution/.test(text)) return null
  const isShareAlike = /\bsa\b|share[ -]?alike/.test(text)
  const terms = [
    'by',
    ...(/\bnc\b|non-?commercial/.test(text) ? ['nc'] : []),
    ...(isShareAlike ? ['sa'] : /\bnd\b|no-?deriv/.test(text) ? ['nd'] : []),
  ].join('-')
  // Most texts without a version, such as YouTube's, do not say which they mean; the link leads to the latest.
  const version = /\b([1-4]\.[05])\b/.exec(text)?.[1]
  const name = `CC ${terms.toUpperCase()}${version === undefined ? '' : ` ${version}`}`
  return { name, url: `https://creativecommons.org/licenses/${terms}/${version ?? '4.0'}/` }
}

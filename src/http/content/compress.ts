/** Content codings in the order in which we prefer them. */
const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/** Browsers send 30 characters. */
const maxLength = 200
/** Three quarters of the time of level 5 for 7 % more bytes; from there on, it is several times as long for a few per cent. */
const brotliQuality = 4
const gzipLevel = 6

/** The coding for an Accept-Encoding header. Without one, or with one that is too long, the body is sent as it is. */
export function chooseCoding(accept: string | undefined): Coding {
  if (accept === undefined || accept.length > maxLength) return 'identity'
  const qualities = new Map(accept.toLowerCase().split(',').map(parseItem))
  const qualityOf = (coding: Coding) =>
    qualities.get(coding) ?? (coding === 'identity' ? 0.001 : (qualities.get('*') ?? 0))
  const best = codings.reduce((a, b) => (qualityOf(b) > qualityOf(a) ? b : a))
  return qualityOf(best) > 0 ? best : 'identity'
}

function parseItem(item: string): [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const number = quality === undefined ? 1 : Number(quality.slice(2))
  return [name, number >= 0 && number <= 1 ? number : 0]
}

export function compress(bytes: Uint8Array, coding: Coding): Uint8Array {
  if (coding === 'identity') return bytes
  // Loaded when first used: it takes 10 ms, which every start would wait for.
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib')
  if (coding === 'gzip') return gzipSync(bytes, { level: gzipLevel })
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants
  return brotliCompressSync(bytes, { params: { [quality]: brotliQuality, [hint]: bytes.length } })
}

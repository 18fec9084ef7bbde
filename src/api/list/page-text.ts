import { toAsciiJson } from '../../record/json/body-bytes.ts'

export interface Envelope {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  /** JSON values joined by commas. */
  readonly results: string
  /** More members, as JSON text that begins with a comma. */
  readonly more: string
}

/** `{"count","next","previous","results"}` around finished JSON; in pieces, since joining would copy it. */
export function toEnvelope({ count, next, previous, results, more }: Envelope): readonly string[] {
  const head = `{"count":${count},"next":${toAsciiJson(next)},"previous":${toAsciiJson(previous)},"results":[`
  return [head, results, `]${more}}`]
}

/** URLs of other pages of the list at `at`; they keep all other parameters. */
export function createPageUrls(at: string, parameters: URLSearchParams) {
  const toUrl = (name: string, value: string) => {
    const others = new URLSearchParams(parameters)
    others.set(name, value)
    return `${at}?${others}`
  }
  return {
    toCursor: (cursor: string) => toUrl('cursor', cursor),
    toNext: (page: number, pageSize: number, count: number) =>
      page * pageSize < count ? toUrl('page', String(page + 1)) : null,
    toPrevious: (page: number) => (page > 1 ? toUrl('page', String(page - 1)) : null),
  }
}

/** A hash of the pieces in order; each hash seeds the next. */
export function toPageHash(pieces: readonly string[]): string {
  return pieces.reduce((sum, piece) => BigInt(Bun.hash(piece, sum)), 0n).toString(16)
}

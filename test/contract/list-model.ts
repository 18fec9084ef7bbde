import type { Fields } from './service.ts'

/** What the contract says of a list, in plain words of this language: filter, then sort. Knows nothing of the service. */
export function listModel(records: readonly Fields[], query: URLSearchParams): readonly number[] {
  const tests = [...query].flatMap(([name, value]) => toTest(name, value) ?? [])
  const found = records.filter((record) => tests.every((holds) => holds(record)))
  return found.sort(toCompare(query.get('ordering') ?? '')).map(({ id }) => Number(id))
}

type Test = (record: Fields) => boolean

function toTest(name: string, value: string): Test | undefined {
  if (value === '') return undefined
  switch (name) {
    case 'state':
      return ({ state }) => String(state) === value
    case 'category':
      return ({ category }) => category === value || slugOf(String(category)) === value
    case 'language':
      return ({ language }) => language === value
    case 'speaker':
      return ({ speakers }) => hasPiece(speakers, value)
    case 'tag':
      return ({ tags }) => hasPiece(tags, value)
    case 'recorded_after':
      return ({ recorded }) => recorded !== null && String(recorded) >= value
    case 'recorded_before':
      return ({ recorded }) => recorded !== null && String(recorded) <= value
    case 'duration_min':
      return ({ duration }) => duration !== null && Number(duration) >= Number(value)
    case 'duration_max':
      return ({ duration }) => duration !== null && Number(duration) <= Number(value)
    case 'has':
      return (record) => value.split(',').every((kind) => hasMedia(record, kind))
    case 'has_any':
      return (record) => value.split(',').some((kind) => hasMedia(record, kind))
    case 'source_url':
      return ({ source_url }) => source_url === value
    case 'missing':
      return (record) => value.split(',').every((what) => lacks(record, what))
    case 'finding':
      return (record) => value.split(',').every((code) => lacks(record, code.replace('missing_', '')))
    case 'parked':
      return ({ whiteboard }) => String(whiteboard).startsWith('[parked]') === (value === '1')
    case 'whiteboard':
      return ({ whiteboard }) => (whiteboard !== '') === (value === '1')
    case 'host':
      return ({ source_url }) => source_url !== '' && hostOf(String(source_url)) === value.replace(/^www\./, '')
    case 'added_after':
      return ({ added }) => String(added) >= value
    case 'added_before':
      return ({ added }) => String(added) <= endOf(value)
    case 'updated_after':
      return ({ updated }) => String(updated) >= value
    case 'updated_before':
      return ({ updated }) => String(updated) <= endOf(value)
    case 'id':
      return ({ id }) => value.split(',').includes(String(id))
    default:
      return undefined
  }
}

const media = ['video_mp4_url', 'video_webm_url', 'video_ogv_url', 'video_flv_url']
const fieldNames: { readonly [what: string]: string } = {
  thumbnail: 'thumbnail_url',
  source: 'source_url',
  licence: 'copyright_text',
}

function lacks(record: Fields, what: string): boolean {
  const fields = what === 'media' ? media : [fieldNames[what] ?? what]
  return fields.every((field) => String(record[field] ?? '').trim() === '')
}

const hostOf = (address: string) => new URL(address).hostname.replace(/^www\./, '')

/** A day is meant to its end. */
const endOf = (value: string) => (value.length === 10 ? `${value}T23:59:59.999` : value)

function hasMedia(record: Fields, kind: string): boolean {
  const field = kind === 'embed' ? 'embed' : kind === 'thumbnail' ? 'thumbnail_url' : `video_${kind}_url`
  return (record[field] ?? '') !== ''
}

function hasPiece(names: unknown, piece: string): boolean {
  return Array.isArray(names) && names.some((name) => fold(String(name)).includes(fold(piece)))
}

/** Enough for the letters that the records of these tests have. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ø', 'o').replaceAll('ł', 'l')
}

const slugOf = (title: string) => fold(title).replace(/[^a-z0-9]+/g, '-')

type Compare = (one: Fields, other: Fields) => number

/** Names that are known; then what breaks ties. */
function toCompare(ordering: string): Compare {
  const known = ordering.split(',').filter((name) => /^-?(?:added|updated|recorded|title|duration|id)$/.test(name))
  const steps = known.length === 0 ? ['-recorded', 'title', 'id'] : [...known, ...toTieBreakers(known)]
  const compares = steps.map(toStep)
  return (one, other) => compares.map((compare) => compare(one, other)).find((sign) => sign !== 0) ?? 0
}

function toTieBreakers(known: readonly string[]): string[] {
  const last = known.at(-1) ?? ''
  if (last === 'recorded') return ['-title', '-id']
  if (last === '-recorded') return ['title', 'id']
  return [last.startsWith('-') ? '-id' : 'id']
}

function toStep(name: string): Compare {
  const field = name.replace('-', '')
  const sign = name.startsWith('-') ? -1 : 1
  const keyOf = (record: Fields) => (field === 'title' ? fold(String(record.title)) : record[field])
  return (one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)]
    if (left === right) return 0
    // Unknown ones stay last, whichever way it goes.
    if (left === null || right === null) return left === null ? 1 : -1
    return sign * compareKnown(left, right)
  }
}

/** By code point, as bytes of UTF-8 compare. */
function compareKnown(left: unknown, right: unknown): number {
  if (typeof left === 'number') return left - Number(right)
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}

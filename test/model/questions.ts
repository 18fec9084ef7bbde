import type { VideoRecord } from '../../src/record/record.ts'
import type { ModelVersion } from './model-change.ts'

/** What a list has to answer, whatever came before: which records, and how many have each value. */
export interface ListAnswer {
  readonly count: number
  readonly ids: readonly number[]
  readonly facets: { readonly [name: string]: readonly { readonly value: string; readonly count: number }[] }
}

type Test = (record: VideoRecord, by: string, all: readonly VideoRecord[]) => boolean

/** Lists with the test that says which records they have. */
export const questions: { readonly [parameters: string]: Test } = {
  '': () => true,
  'state=2': ({ state }) => state === 2,
  'tag=x': ({ tags }) => tags.includes('x'),
  'speaker=ann': ({ speakers }) => speakers.includes('Ann'),
  'category=Alpha': ({ category }) => category === 'Alpha',
  'missing=tags': ({ tags }) => tags.length === 0,
  'missing=speakers,duration': ({ speakers, duration }) => speakers.length === 0 && duration === null,
  'finding=missing_recorded': ({ recorded }) => recorded === null,
  'finding=same_video': ({ id, source_url: address }, _, all) =>
    address !== '' && all.some((other) => other.id !== id && other.source_url === address),
  'host=vimeo.com': ({ source_url: address }) => address.startsWith('https://vimeo.com/'),
  'by=pia': (_, by) => by === 'pia',
}

export const facetParameters = 'category,speaker,tag,year'

/** Counts everything anew. */
export function answer(current: readonly ModelVersion[], parameters: string, drafts: boolean): ListAnswer {
  const visible = current.filter(({ record }) => drafts || record.state === 1)
  const all = visible.map(({ record }) => record)
  const test = questions[parameters] ?? (() => false)
  const found = visible.filter(({ record, by }) => test(record, by, all)).map(({ record }) => record)
  return {
    count: found.length,
    ids: found.map(({ id }) => id),
    facets: {
      category: count(found.map(({ category }) => category)),
      speaker: count(found.flatMap(({ speakers }) => speakers)),
      tag: count(found.flatMap(({ tags }) => tags)),
      year: count(found.flatMap(({ recorded }) => (recorded === null ? [] : [recorded.slice(0, 4)]))),
    },
  }
}

const count = (values: readonly string[]) =>
  sortValues([...new Set(values)].map((value) => ({ value, count: values.filter((each) => each === value).length })))

/** In the order of the values: which of two that are as frequent comes first is of no interest here. */
export function sortValues<Value extends { readonly value: string }>(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => (a.value < b.value ? -1 : 1))
}

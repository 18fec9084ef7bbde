import { fieldNames, mediaKinds } from '../../record/fields.ts'
import { maxPageSize } from '../../record/query/paging.ts'
import { defaultPageSize, facetNames } from '../../record/query/query.ts'
import { defaultLines } from '../list/page-answer.ts'
import type { Parameter } from './operation-docs.ts'

type Schema = Parameter['schema']

const text: Schema = { type: 'string' }
const texts: Schema = { anyOf: [text, { type: 'array', items: text }] }
const day: Schema = { type: 'string', format: 'date' }
const seconds: Schema = { type: 'integer', minimum: 0 }

/** What the list may be asked, in the order of a reader's interest. */
export const listParameters: readonly Parameter[] = [
  toQuery('q', 'Words that must all occur, as a word or its beginning; `"a phrase"`, `-word`. Best match first.', text),
  toQuery('category', 'Slug or exact title of a category.', text),
  toQuery('speaker', 'Part of a speaker’s name; case and accents do not matter. May be given up to four times.', texts),
  toQuery('tag', 'Part of a tag; case and accents do not matter. May be given up to four times.', texts),
  toQuery('language', 'English name or code of a language.', text),
  toQuery('recorded_after', 'Recorded on this day or later.', day),
  toQuery('recorded_before', 'Recorded on this day or earlier.', day),
  toQuery('duration_min', 'At least so many seconds long.', seconds),
  toQuery('duration_max', 'At most so many seconds long.', seconds),
  toQuery('has', `Has all of these, joined by commas: ${toCodes(mediaKinds)}.`, text),
  toQuery(
    'source_url',
    'This video, at the same start time, by any address that YouTube or Vimeo have for it; elsewhere exactly this `source_url`.',
    text,
  ),
  toQuery('id', 'Identifiers joined by commas, at most 100.', { type: 'string', pattern: '^[0-9]+(,[0-9]+)*$' }),
  toQuery('state', '1 = live, 2 = draft. Drafts are for token holders.', { type: 'integer', enum: [1, 2] }),
  toQuery('ordering', 'Names joined by commas, `-` reverses: added, updated, recorded, title, duration, id.', text),
  ...toPageParameters(defaultPageSize),
  toQuery('cursor', 'Pages deep at flat cost: empty for the first page, then as `next` has it.', text),
  toQuery(
    'fields',
    `Cuts the records down to these fields, joined by commas, such as ${toCodes(firstFields())}.`,
    text,
  ),
  toQuery('facets', `Adds counts over all records found: ${toCodes(facetNames)}, joined by commas.`, text),
]

export function toPageParameters(pageSize = defaultLines): readonly Parameter[] {
  const page: Schema = { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }], default: 1 }
  return [
    toQuery('page', 'Number of the page, from 1, or `last`. Past the end: 404.', page),
    toQuery('page_size', `How many a page; more than ${maxPageSize} counts as ${maxPageSize}.`, {
      type: 'integer',
      minimum: 1,
      default: pageSize,
    }),
  ]
}

function toQuery(name: string, words: string, schema: Schema): Parameter {
  return { name, in: 'query', text: words, schema }
}

function toCodes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function firstFields(): readonly string[] {
  return fieldNames.filter((name) => name === 'id' || name === 'title')
}

import type { MediaKind } from '../fields.ts'
import { vocabularyKinds } from './vocabulary.ts'

/** Facets of the API. */
export const facetNames = [...vocabularyKinds, 'year'] as const
export type FacetName = (typeof facetNames)[number]
/** What the store counts. The last two are for pages only: `facets` of the API does not take them. */
export const countedFacets = [...facetNames, 'length', 'download'] as const
export type CountedFacet = (typeof countedFacets)[number]

/** Values of the facet `length`, with the filters that select them; in seconds, both inclusive. */
export const lengthRanges = [
  { value: '0-10', durationMin: 0, durationMax: 599 },
  { value: '10-30', durationMin: 600, durationMax: 1_799 },
  { value: '30-60', durationMin: 1_800, durationMax: 3_599 },
  { value: '60+', durationMin: 3_600, durationMax: null },
] as const
/** Kinds of files that can be downloaded: `hasAny` of these selects what the facet `download` counts as `yes`. */
export const fileKinds = ['mp4', 'webm', 'ogv', 'flv'] as const satisfies readonly MediaKind[]

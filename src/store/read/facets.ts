import type { FacetName } from '../../record/query/query.ts'
import type { FacetCount } from '../store.ts'

/** The most frequent values of each facet. */
export type Facets = { readonly [name: string]: readonly FacetCount[] }

export const maxFacetValues = 100

/** Facets whose values are rows of a table of the same name: the column that has the text. */
export const nameColumns: { readonly [F in FacetName]?: string } = { category: 'title', speaker: 'name', tag: 'name' }

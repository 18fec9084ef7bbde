/** Where the page of a speaker, a tag or a record is. */
export interface PageAddress {
  readonly id: number
  readonly slug: string
}

/** Speakers or tags, by their names as records have them. */
export interface NamesQuery {
  readonly kind: 'speaker' | 'tag'
  readonly names: readonly string[]
}

/** Reads for pages of the site. Each takes one query, and runs on a query thread. */
export interface SiteReads {
  /** The slug of each category by its title; titles of no category are missing. */
  findCategorySlugs(titles: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The id and slug of each name; names that no record has are missing. */
  findNameIds(query: NamesQuery): Promise<ReadonlyMap<string, PageAddress>>
}

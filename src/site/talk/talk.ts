import { requireRead } from '../../http/problem.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import { toLanguageCode } from '../../record/text/language.ts'
import type { PageAddress } from '../../store/site-reads.ts'
import type { ReadStore } from '../../store/store.ts'

/** A name with the page it links to; null if there is none. */
export interface NamedLink {
  readonly name: string
  readonly page: PageAddress | null
}

/** A record with what its links need. */
export interface Talk {
  readonly record: VideoRecord
  /** For `lang`; undefined if the language is unknown. */
  readonly languageCode: string | undefined
  readonly categorySlug: string | null
  readonly speakers: readonly NamedLink[]
}

/** Looks up the links of records that were read as texts. */
export async function findTalks(store: ReadStore, texts: readonly string[]): Promise<Talk[]> {
  const records = texts.map(fromBodyText)
  const links = await findLinks(store, records)
  return records.map((record) => toTalk(record, links))
}

/** Looks up the links of one record. */
export async function findTalk(store: ReadStore, record: VideoRecord): Promise<Talk> {
  return toTalk(record, await findLinks(store, [record]))
}

interface Links {
  readonly slugs: ReadonlyMap<string, string>
  readonly speakers: ReadonlyMap<string, PageAddress>
}

async function findLinks(store: ReadStore, records: readonly VideoRecord[]): Promise<Links> {
  const titles = [...new Set(records.map(({ category }) => category))]
  const names = [...new Set(records.flatMap(({ speakers }) => speakers))]
  const slugs = requireRead(await store.findCategorySlugs(titles))
  const speakers = requireRead(await store.findNameIds({ kind: 'speaker', names }))
  return { slugs, speakers }
}

function toTalk(record: VideoRecord, { slugs, speakers }: Links): Talk {
  return {
    record,
    languageCode: toLanguageCode(record.language) ?? undefined,
    categorySlug: slugs.get(record.category) ?? null,
    speakers: record.speakers.map((name) => ({ name, page: speakers.get(name) ?? null })),
  }
}

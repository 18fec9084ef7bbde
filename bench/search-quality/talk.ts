import type { VideoRecord } from '../../src/record/record.ts'
import type { searched } from '../../src/record/text/search-text.ts'

/** The searched fields of a live record. */
export type Talk = Pick<VideoRecord, 'id' | (typeof searched)[number]>

export type Half = 'tuning' | 'report'

/** By title alone, so that talks with the same title are in the same half, in every run and every archive. */
export function toHalf({ title }: Pick<Talk, 'title'>): Half {
  const [first = 0] = new Bun.CryptoHasher('sha256').update(toTitleKey(title)).digest()
  return first % 2 === 0 ? 'tuning' : 'report'
}

/** Talks with the same key cannot be told apart by their titles. */
export function toTitleKey(title: string): string {
  return title.normalize('NFC').trim().toLowerCase()
}

/** The searched fields as texts. */
export function toTexts(talk: Talk): { readonly [name in (typeof searched)[number]]: string } {
  const { title, speakers, tags, category, summary, description } = talk
  return { title, speakers: speakers.join(', '), tags: tags.join(', '), category, summary, description }
}

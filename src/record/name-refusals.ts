import type { Refusal } from './command.ts'

type NameKind = 'speaker' | 'tag'

export const toNoSuchName = (of: NameKind): Refusal => ({ code: 'no_such_name', detail: `No such ${of}.` })

/** For a change of an alias. */
export const toMerged = (of: NameKind, id: number, current: number): Refusal => ({
  code: 'merged',
  detail: `The ${of} ${id} was merged into ${current}. Use that one.`,
  more: { id: current },
})

export const toSameEntry = (of: NameKind, current: number): Refusal => ({
  code: 'same_entry',
  detail: `Both are the ${of} ${current}. Name another one in "into".`,
  more: { id: current },
})

/** For a change of a merged category. */
export const toMergedCategory = (slug: string, current: string): Refusal => ({
  code: 'merged',
  detail: `The category ${slug} was merged into ${current}. Use that one.`,
  more: { slug: current },
})

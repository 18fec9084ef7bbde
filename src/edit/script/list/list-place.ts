import { tabItems } from '../../../site/asset/script/storage.ts'

const toKey = (list: string) => `rostrum.place.${list}`

/** The talk of a work list that was open last, and the one after it, by their ids. */
interface KeptPlace {
  readonly talk: string
  /** `""` at the end of the list. */
  readonly next: string
}

/** Stores the talk that the editor shows, so that its list continues there. */
export function keepPlace(): void {
  const { list, talk = '', next = '' } = document.querySelector<HTMLElement>('nav[data-list]')?.dataset ?? {}
  if (list === undefined) return
  const kept = findPlace(list)
  // A talk that was saved may have another position now; what followed it in the list is known from before.
  const after = kept?.talk === talk && kept.next !== '' ? kept.next : next
  tabItems.storeItem(toKey(list), `${talk} ${after}`)
}

/** Null outside a list, and if no talk of it was opened in this tab. */
export function readKeptPlace(): KeptPlace | null {
  const list = document.querySelector<HTMLInputElement>('form[data-list-form] input[name="list"]')?.value
  return list === undefined ? null : findPlace(list)
}

function findPlace(list: string): KeptPlace | null {
  const [talk = '', next = ''] = (tabItems.readItem(toKey(list)) ?? '').split(' ')
  return talk === '' ? null : { talk, next }
}

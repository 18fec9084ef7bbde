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

/** Stores the row whose form is sent. */
export function keepRow(talk: string, next: string): void {
  const list = findListName()
  if (list !== undefined) tabItems.storeItem(toKey(list), `${talk} ${next}`)
}

/** The page that follows goes on at the stored row. */
export function keepReturn(): void {
  const list = findListName()
  if (list !== undefined) tabItems.storeItem(returnKey, list)
}

/** Whether this page, of the same list, is the one that goes on at the stored row. */
export function takeReturn(): boolean {
  const list = tabItems.readItem(returnKey)
  tabItems.removeItem(returnKey)
  return list !== null && list === findListName()
}

const returnKey = 'rostrum.return'

const findListName = () => document.querySelector<HTMLInputElement>('form[data-list-form] input[name="list"]')?.value

/** Null outside a list, and if no talk of it was opened in this tab. */
export function readKeptPlace(): KeptPlace | null {
  const list = findListName()
  return list === undefined ? null : findPlace(list)
}

function findPlace(list: string): KeptPlace | null {
  const [talk = '', next = ''] = (tabItems.readItem(toKey(list)) ?? '').split(' ')
  return talk === '' ? null : { talk, next }
}

import { readItem, removeItem, storeItem } from './storage.ts'

const key = 'rostrum:curator'

/** Notes that somebody has signed in with this browser. Not a secret, and not a permission. */
export function rememberCurator(isSignedIn: boolean): void {
  if (isSignedIn) storeItem(key, '1')
  else removeItem(key)
}

/** In browsers of curators, the link *Edit* of the footer is also among the actions of the talk. */
export function addEditLink(): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-edit]')
  const actions = document.querySelector('.talk-head .actions')
  if (link === null || actions === null || readItem(key) === null) return
  const item = document.createElement('li')
  item.append(link.cloneNode(true))
  actions.append(item)
}

import { listItems, readItem, removeItem, storeItem, tabItems } from '../../site/asset/script/storage.ts'
import type { FormState } from './form-state.ts'

const everyPrefix = 'rostrum.unsaved.'
const sentPrefix = 'rostrum.sent.'
const maxAgeMs = 30 * 24 * 3600 * 1000

/** What was typed into a form, and the version that the form was made from. */
export interface UnsavedText {
  readonly at: number
  readonly etag: string
  readonly state: FormState
  /** Of the page. */
  readonly title: string
  /** Where the form is; `""` if no address leads to it. */
  readonly path: string
}

export interface KeptText extends UnsavedText {
  readonly key: string
  readonly name: string
}

/** Of what the curator of this page typed, whom `data-owner` names: nobody else is offered it. */
const toPrefix = () => `${everyPrefix}${document.querySelector<HTMLElement>('[data-owner]')?.dataset.owner ?? ''}.`

/** Whether the curator is signing out, without what this page has. */
let isDiscarded = false

/**
 * A form has a new key on every page, so that no tab overwrites or removes what another one has. It is not one for each
 * tab: a duplicated tab would have the same. `#` is in no name of a form.
 */
export function createKey(name: string): string {
  const numbers = crypto.getRandomValues(new Uint32Array(2))
  return `${toPrefix()}${name}#${[...numbers].map((number) => number.toString(36)).join('')}`
}

/** All texts of a form, newest first. */
export const listKept = (name: string) => listAllKept().filter((keptText) => keptText.name === name)

export function listAllKept(): readonly KeptText[] {
  return listItems(toPrefix())
    .flatMap((key) => findKept(key) ?? [])
    .sort((a, b) => b.at - a.at)
}

function findKept(key: string): KeptText | null {
  const prefix = toPrefix()
  const keptText = key.startsWith(prefix) ? parseUnsaved(readItem(key)) : null
  return keptText === null ? null : { key, name: key.slice(prefix.length).split('#')[0] ?? '', ...keptText }
}

/** Whether it is kept. */
export const storeUnsaved = (key: string, keptText: UnsavedText) =>
  !isDiscarded && storeItem(key, JSON.stringify(keptText))

/** Removes everything that this curator has not saved. From now on this page keeps nothing, and leaving it asks nothing. */
export function discardUnsaved(): void {
  for (const key of listItems(toPrefix())) removeItem(key)
  isDiscarded = true
  // After "back" the form is still here.
  addEventListener('pageshow', () => {
    isDiscarded = false
  })
}

export const wasDiscarded = () => isDiscarded

export const removeKept = removeItem

/** The next page of this tab may say that the form is saved: then its text is the one to remove. */
export function storeSent(name: string, key: string): void {
  tabItems.storeItem(sentPrefix + name, key)
}

/** The text of the form that this tab sent last. */
export function findSent(name: string): KeptText | null {
  const key = tabItems.readItem(sentPrefix + name)
  return key === null ? null : findKept(key)
}

/** Removes the text of the form that this tab sent last. */
export function removeSent(name: string): void {
  const sent = findSent(name)
  if (sent !== null) removeKept(sent.key)
  tabItems.removeItem(sentPrefix + name)
}

/** No page of this tab will say any more what became of the forms that it sent. */
export function forgetSent(): void {
  for (const item of tabItems.listItems(sentPrefix)) tabItems.removeItem(item)
}

export function removeOld(): void {
  for (const key of listItems(everyPrefix)) {
    const keptText = parseUnsaved(readItem(key))
    if (keptText === null || Date.now() - keptText.at > maxAgeMs) removeItem(key)
  }
}

function parseUnsaved(text: string | null): UnsavedText | null {
  try {
    const { at, etag, state, title, path } = JSON.parse(text ?? 'null') ?? {}
    const isUnsaved = typeof at === 'number' && typeof etag === 'string' && typeof state === 'object' && state !== null
    return isUnsaved ? { at, etag, state, title: String(title), path: String(path) } : null
  } catch {
    return null
  }
}

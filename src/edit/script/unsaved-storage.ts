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

/** Of texts by the curator of this page, whom `data-owner` identifies: others are not offered them. */
const toPrefix = () => `${everyPrefix}${document.querySelector<HTMLElement>('[data-owner]')?.dataset.owner ?? ''}.`

/** Whether the curator is signing out and has discarded the text of this page. */
let isDiscarded = false

/**
 * Each page load gets a new key, so that no tab overwrites or removes the text of another. A key per tab would not do:
 * a duplicated tab would share it. No name of a form has a `#`.
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

/** Returns whether it was stored. */
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

/** Remembers the text of a sent form: if the next page says that the form is saved, this text is removed. */
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

/** Forgets the forms that this tab sent: no later page reports their result. */
export function forgetSent(): void {
  for (const item of tabItems.listItems(sentPrefix)) tabItems.removeItem(item)
}

export function removeOld(): void {
  for (const key of listItems(everyPrefix)) {
    const keptText = parseUnsaved(readItem(key))
    if (keptText === null || Date.now() - keptText.at > maxAgeMs) removeItem(key)
  }
}

function findKept(key: string): KeptText | null {
  const prefix = toPrefix()
  const keptText = key.startsWith(prefix) ? parseUnsaved(readItem(key)) : null
  return keptText === null ? null : { key, name: key.slice(prefix.length).split('#')[0] ?? '', ...keptText }
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

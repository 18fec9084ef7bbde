import { listItems, readItem, removeItem, storeItem, tabItems } from '../../../site/asset/script/storage.ts'
import type { FormState } from '../form-state.ts'

const everyPrefix = 'rostrum.unsaved.'
const sentPrefix = 'rostrum.sent.'
const maxAgeMs = 30 * 24 * 3600 * 1000

/** What was typed into a form, and the version that the form was made from. */
export interface Draft {
  readonly at: number
  readonly etag: string
  readonly state: FormState
  /** Of the page. */
  readonly title: string
  /** Where the form is; `""` if no address leads to it. */
  readonly path: string
}

export interface KeptDraft extends Draft {
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
export function createDraftKey(name: string): string {
  const numbers = crypto.getRandomValues(new Uint32Array(2))
  return `${toPrefix()}${name}#${[...numbers].map((number) => number.toString(36)).join('')}`
}

/** All drafts of a form, newest first. */
export const listDrafts = (name: string) => listAllDrafts().filter((draft) => draft.name === name)

export function listAllDrafts(): readonly KeptDraft[] {
  return listItems(toPrefix())
    .flatMap((key) => findDraft(key) ?? [])
    .sort((a, b) => b.at - a.at)
}

function findDraft(key: string): KeptDraft | null {
  const prefix = toPrefix()
  const draft = key.startsWith(prefix) ? parseDraft(readItem(key)) : null
  return draft === null ? null : { key, name: key.slice(prefix.length).split('#')[0] ?? '', ...draft }
}

/** Whether it is kept. */
export const storeDraft = (key: string, draft: Draft) => !isDiscarded && storeItem(key, JSON.stringify(draft))

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

export const removeDraft = removeItem

/** The next page of this tab may say that the form is saved: then its draft is the one to remove. */
export function storeSent(name: string, key: string): void {
  tabItems.storeItem(sentPrefix + name, key)
}

/** The draft of the form that this tab sent last. */
export function findSent(name: string): KeptDraft | null {
  const key = tabItems.readItem(sentPrefix + name)
  return key === null ? null : findDraft(key)
}

/** Removes the draft of the form that this tab sent last. */
export function removeSent(name: string): void {
  const sent = findSent(name)
  if (sent !== null) removeDraft(sent.key)
  tabItems.removeItem(sentPrefix + name)
}

/** No page of this tab will say any more what became of the forms that it sent. */
export function forgetSent(): void {
  for (const item of tabItems.listItems(sentPrefix)) tabItems.removeItem(item)
}

export function removeOld(): void {
  for (const key of listItems(everyPrefix)) {
    const draft = parseDraft(readItem(key))
    if (draft === null || Date.now() - draft.at > maxAgeMs) removeItem(key)
  }
}

function parseDraft(text: string | null): Draft | null {
  try {
    const { at, etag, state, title, path } = JSON.parse(text ?? 'null') ?? {}
    const isDraft = typeof at === 'number' && typeof etag === 'string' && typeof state === 'object' && state !== null
    return isDraft ? { at, etag, state, title: String(title), path: String(path) } : null
  } catch {
    return null
  }
}

import { listItems, readItem, removeItem, storeItem, tabItems } from '../../storage.ts'
import type { FormState } from '../form-state.ts'

const prefix = 'rostrum.draft.'
const sentPrefix = 'rostrum.sent.'
const maxAgeMs = 30 * 24 * 3600 * 1000

/** What was typed into a form, and the version that the form was made from. */
export interface Draft {
  readonly at: number
  readonly etag: string
  readonly state: FormState
  /** Of the page; earlier releases kept neither. */
  readonly title: string
  /** Where the form is; `""` if no address leads to it. */
  readonly path: string
}

export interface KeptDraft extends Draft {
  readonly key: string
  readonly name: string
}

/**
 * A form has a new key on every page, so that no tab overwrites or removes what another one has. It is not one for each
 * tab: a duplicated tab would have the same. `#` is in no name of a form.
 */
export function createDraftKey(name: string): string {
  const numbers = crypto.getRandomValues(new Uint32Array(2))
  return `${prefix}${name}#${[...numbers].map((number) => number.toString(36)).join('')}`
}

/** All drafts of a form, newest first. Earlier releases had one for each form, without a number. */
export const listDrafts = (name: string) => listAllDrafts().filter((draft) => draft.name === name)

export function listAllDrafts(): readonly KeptDraft[] {
  return listItems(prefix)
    .flatMap((key) => findDraft(key) ?? [])
    .sort((a, b) => b.at - a.at)
}

function findDraft(key: string): KeptDraft | null {
  const draft = parseDraft(readItem(key))
  return draft === null ? null : { key, name: key.slice(prefix.length).split('#')[0] ?? '', ...draft }
}

/** Whether it is kept. */
export const storeDraft = (key: string, draft: Draft) => storeItem(key, JSON.stringify(draft))

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
  const key = tabItems.readItem(sentPrefix + name)
  if (key !== null) removeDraft(key)
  tabItems.removeItem(sentPrefix + name)
}

/** No page of this tab will say any more what became of the forms that it sent. */
export function forgetSent(): void {
  for (const item of tabItems.listItems(sentPrefix)) tabItems.removeItem(item)
}

export function removeOld(): void {
  for (const key of listItems(prefix)) {
    const draft = parseDraft(readItem(key))
    if (draft === null || Date.now() - draft.at > maxAgeMs) removeItem(key)
  }
}

function parseDraft(text: string | null): Draft | null {
  try {
    const { at, etag, state, title = '', path = '' } = JSON.parse(text ?? 'null') ?? {}
    const isDraft = typeof at === 'number' && typeof etag === 'string' && typeof state === 'object' && state !== null
    return isDraft ? { at, etag, state, title: String(title), path: String(path) } : null
  } catch {
    return null
  }
}

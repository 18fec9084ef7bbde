import { type FormState, findEtag, isEmpty, listForms, readState, toDifference } from '../form-state.ts'
import { offerDrafts } from './draft-offer.ts'
import {
  createDraftKey,
  type Draft,
  findSent,
  forgetSent,
  type KeptDraft,
  listDrafts,
  removeDraft,
  removeOld,
  removeSent,
  storeDraft,
  storeSent,
} from './kept-drafts.ts'

const pauseMs = 400

/** Keeps what is typed in this browser, and offers it again until a page says, in `data-saved`, that it is saved. */
export function addDrafts(): void {
  removeOld()
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-saved]')) {
    // A new talk has no number until it is saved: the address of the next page names its draft.
    const made = /^new(?:-[0-9a-f]{8})?$/.exec(new URLSearchParams(location.search).get('draft') ?? '') ?? []
    for (const name of [...(dataset.saved ?? '').split(' '), ...made]) removeSent(name)
  }
  for (const form of listForms()) addTo(form, form.dataset.draft ?? '')
  showTyped()
  addForgetting()
}

/** A page shows a form that can never be saved. What of it was typed, the draft knows. */
function showTyped(): void {
  for (const list of document.querySelectorAll<HTMLElement>('[data-typed]')) {
    const typed = findSent(list.dataset.typed ?? '')?.state ?? {}
    const rows = [...list.querySelectorAll<HTMLElement>('[data-control]')]
    const others = rows.filter(({ dataset }) => !Object.hasOwn(typed, dataset.control ?? ''))
    if (others.length < rows.length) for (const row of others) row.remove()
  }
}

/** Who leaves a page by a link does not wait for the answer to a form: what is saved next is something else. */
function addForgetting(): void {
  // After signing in again, this form is sent without an event.
  if (document.querySelector('form.edit-repeat') !== null) return
  let isSent = false
  document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    const isPost = target instanceof HTMLFormElement && target.method === 'post'
    isSent = isPost && !defaultPrevented && submitter?.getAttribute('formtarget') !== '_blank'
  })
  addEventListener('pageshow', () => {
    isSent = false
  })
  addEventListener('pagehide', () => isSent || forgetSent())
}

function addTo(form: HTMLFormElement, name: string): void {
  const key = createDraftKey(name)
  const isUnsaved = form.hasAttribute('data-unsaved')
  const first = readState(form)
  const kept = sortDrafts(name, first)
  const saved = isUnsaved ? without(first, kept.inForm) : first
  const page = readPage(form, kept.inForm)
  let timer = 0
  /** Whether nothing would be lost with this page. */
  const store = () => {
    clearTimeout(timer)
    timer = 0
    const state = toDifference(saved, readState(form))
    if (!isEmpty(state)) return storeDraft(key, { at: Date.now(), etag: findEtag(form)?.value ?? '', state, ...page })
    removeDraft(key)
    return true
  }
  // If it shows what is not saved, the form goes on with their texts; else these are saved.
  if (!isUnsaved || store()) for (const draft of kept.inForm) removeDraft(draft.key)
  if (!isUnsaved) {
    offerDrafts(form, kept.others, (draft) => {
      const isWhole = isEmpty(toDifference(readState(form), draft.state))
      if (store() && isWhole) removeDraft(draft.key)
    })
  }
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(store, pauseMs)
  })
  form.addEventListener('submit', () => {
    store()
    storeSent(name, key)
  })
  addEventListener('pagehide', () => timer !== 0 && store())
  // Signing out asks about everything that is kept.
  document.addEventListener('submit', () => timer !== 0 && store(), { capture: true })
}

/** What a page is told once, after a form. */
const flags = ['saved', 'unchanged', 'draft', 'end', 'do']

/** Without the address of a page that answers a form: opened again, it would be another one. */
function readPage(form: HTMLFormElement, [before]: readonly KeptDraft[]): Pick<Draft, 'title' | 'path'> {
  const title = document.querySelector('h1')?.textContent ?? ''
  if (form.hasAttribute('data-unsaved')) return { title: before?.title || title, path: before?.path ?? '' }
  // A work list sends the talks that are ticked, or itself.
  if (location.search === '' && form.querySelector('input[name=id], input[name=list]') !== null)
    return { title, path: '' }
  const query = new URLSearchParams(location.search)
  for (const flag of flags) query.delete(flag)
  return { title, path: [location.pathname, query].join(query.size === 0 ? '' : '?') }
}

interface SortedDrafts {
  /** Drafts whose texts are all in the form. */
  readonly inForm: readonly KeptDraft[]
  readonly others: readonly KeptDraft[]
}

function sortDrafts(name: string, first: FormState): SortedDrafts {
  const groups = Map.groupBy(listDrafts(name), ({ state }) => isEmpty(toDifference(first, state)))
  return { inForm: groups.get(true) ?? [], others: groups.get(false) ?? [] }
}

/** The server shows what was typed but not saved: of these entries nobody knows here what is saved. */
function without(first: FormState, drafts: readonly KeptDraft[]): FormState {
  const unsaved = drafts.length === 0 ? first : Object.assign({}, ...drafts.map(({ state }) => state))
  return Object.fromEntries(Object.entries(first).filter(([name]) => !Object.hasOwn(unsaved, name)))
}

import { type FormState, findEtag, isEmpty, listForms, readState, toDifference } from '../form-state.ts'
import { offerDrafts } from './draft-offer.ts'
import {
  createDraftKey,
  findSent,
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
}

function addTo(form: HTMLFormElement, name: string): void {
  const key = createDraftKey(name)
  const isUnsaved = form.hasAttribute('data-unsaved')
  const sent = isUnsaved ? findSent(name) : null
  const first = readState(form)
  const saved = isUnsaved ? without(first, sent?.state ?? first) : first
  let timer = 0
  /** Whether nothing would be lost with this page. */
  const store = () => {
    clearTimeout(timer)
    timer = 0
    const state = toDifference(saved, readState(form))
    if (!isEmpty(state)) return storeDraft(key, { at: Date.now(), etag: findEtag(form)?.value ?? '', state })
    removeDraft(key)
    return true
  }
  if (isUnsaved) {
    // This form goes on with what the one before had.
    if (store() && sent !== null) removeDraft(sent.key)
    storeSent(name, key)
  } else {
    offerDrafts(form, listUnsaved(name, first), (draft) => {
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
}

/** A draft whose texts are all in the form has done its work. */
function listUnsaved(name: string, first: FormState): readonly KeptDraft[] {
  const drafts = Map.groupBy(listDrafts(name), ({ state }) => !isEmpty(toDifference(first, state)))
  for (const { key } of drafts.get(false) ?? []) removeDraft(key)
  return drafts.get(true) ?? []
}

/** The server shows what was typed but not saved: of these entries nobody knows here what is saved. */
function without(state: FormState, unsaved: FormState): FormState {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !Object.hasOwn(unsaved, name)))
}

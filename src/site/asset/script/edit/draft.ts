import { editScriptTexts } from '../../../edit/form/script-texts.ts'
import { listItems, readItem, removeItem, storeItem } from '../storage.ts'
import {
  createButton,
  createElement,
  type FormState,
  isEmpty,
  listForms,
  readState,
  toDifference,
  writeState,
} from './form-state.ts'

const prefix = 'rostrum.draft.'
const pauseMs = 400
const maxAgeMs = 30 * 24 * 3600 * 1000

/** What was typed into a form, and the version that the form was made from. */
interface Draft {
  readonly at: number
  readonly etag: string
  readonly state: FormState
}

/** Keeps what is typed in this browser, and offers it again until a page says, in `data-saved`, that it is saved. */
export function addDrafts(): void {
  removeOld()
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-saved]')) {
    // A new talk has no number until it is saved: the address of the next page names its draft.
    const made = /^new(?:-[0-9a-f]{8})?$/.exec(new URLSearchParams(location.search).get('draft') ?? '') ?? []
    for (const key of [...(dataset.saved ?? '').split(' '), ...made]) removeItem(prefix + key)
  }
  for (const form of listForms()) addTo(form, prefix + (form.dataset.draft ?? ''))
}

function addTo(form: HTMLFormElement, key: string): void {
  const first = readState(form)
  const found = parseDraft(readItem(key))
  const isUnsaved = form.hasAttribute('data-unsaved')
  const saved = isUnsaved ? without(first, found?.state ?? first) : first
  const store = () => {
    clearTimeout(timer)
    const state = toDifference(saved, readState(form))
    if (isEmpty(state)) removeItem(key)
    else storeItem(key, JSON.stringify({ at: Date.now(), etag: etagOf(form)?.value ?? '', state }))
  }
  let timer = 0
  if (isUnsaved) store()
  else if (found === null || isEmpty(toDifference(first, found.state))) removeItem(key)
  else offer(form, found, () => removeItem(key))
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(store, pauseMs)
  })
  form.addEventListener('submit', store)
  addEventListener('pagehide', () => timer !== 0 && store())
}

/** The server shows what was typed but not saved: of these entries nobody knows here what is saved. */
function without(state: FormState, unsaved: FormState): FormState {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !Object.hasOwn(unsaved, name)))
}

/** A form without one has no version to compare with. */
const etagOf = (form: HTMLFormElement) => form.querySelector<HTMLInputElement>('input[name=etag]')

/** The form becomes one of the version that the draft was made from: the server sees what others changed since. */
function offer(form: HTMLFormElement, draft: Draft, discard: () => void): void {
  const texts = editScriptTexts.draft
  const box = createElement('div', 'draft-offer')
  box.setAttribute('role', 'status')
  const etag = etagOf(form)
  const isOlder = etag !== null && draft.etag !== '' && etag.value !== draft.etag
  const time = new Date(draft.at).toLocaleString(document.documentElement.lang)
  const text = createElement('p', '', [texts.found(time), ...(isOlder ? [texts.isOlder] : [])].join(' '))
  const restore = createButton('button', texts.restore, () => {
    if (isOlder) etag.value = draft.etag
    writeState(form, draft.state)
    box.replaceChildren(createElement('p', '', texts.restored))
  })
  const drop = createButton('button quiet', texts.discard, () => {
    discard()
    box.remove()
  })
  box.append(text, restore, drop)
  form.prepend(box)
}

function parseDraft(text: string | null): Draft | null {
  try {
    const { at, etag, state } = JSON.parse(text ?? 'null') ?? {}
    const isDraft = typeof at === 'number' && typeof etag === 'string' && typeof state === 'object' && state !== null
    return isDraft ? { at, etag, state } : null
  } catch {
    return null
  }
}

function removeOld(): void {
  for (const key of listItems(prefix)) {
    const draft = parseDraft(readItem(key))
    if (draft === null || Date.now() - draft.at > maxAgeMs) removeItem(key)
  }
}

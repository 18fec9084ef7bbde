import { toMoment } from '../../site/text/format.ts'
import { editScriptTexts } from '../form/script-texts.ts'
import {
  createButton,
  createElement,
  type FormState,
  findDifference,
  findEtag,
  isEmpty,
  listForms,
  readState,
  writeState,
} from './form-state.ts'
import {
  createKey,
  discardUnsaved,
  findSent,
  forgetSent,
  type KeptText,
  listAllKept,
  listKept,
  removeKept,
  removeOld,
  removeSent,
  storeSent,
  storeUnsaved,
  type UnsavedText,
} from './unsaved-storage.ts'

const texts = editScriptTexts.unsaved
const pauseMs = 400

/** Keeps what is typed in this browser, and offers it again until a page says, in `data-saved`, that it is saved. */
export function addUnsaved(): void {
  removeOld()
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-saved]')) {
    // A new talk has no number until it is saved: the address of the next page names its text.
    const made = /^new(?:-[0-9a-f]{8})?$/.exec(new URLSearchParams(location.search).get('unsaved') ?? '') ?? []
    for (const name of [...(dataset.saved ?? '').split(' '), ...made]) removeSent(name)
  }
  for (const form of listForms()) keepUnsaved(form, form.dataset.keptAs ?? '')
  showTyped()
  addForgetting()
}

/** Lists the unsaved texts of all forms. `data-kept-unsaved` of an element is the path of the pages for curators. */
export function showKeptTexts(): void {
  const place = document.querySelector<HTMLElement>('[data-kept-unsaved]')
  // What was chosen on a conflict page belongs to what was typed before.
  const keptTexts = listAllKept().filter(({ name }) => !name.endsWith('-conflict'))
  if (place === null || keptTexts.length === 0) return
  const home = place.dataset.keptUnsaved ?? ''
  const list = createElement('ul', '')
  for (const [name, group] of Map.groupBy(keptTexts, (keptText) => keptText.name))
    list.append(createEntry(home, name, group))
  place.append(createElement('p', '', texts.kept), list)
  place.hidden = false
}

/** Asks before a sign-out, which discards unsaved text because others may use this browser. */
export function addSignOut(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-sign-out]')) {
    form.addEventListener('submit', (event) => {
      // The links and the conflict of a talk have forms of their own.
      const names = new Set(listAllKept().map(({ name }) => /^video-\d{1,16}(?=-)/.exec(name)?.[0] ?? name))
      if (names.size === 0) return
      const areTalks = [...names].every((name) => /^(?:video|new)-|^new$/.test(name))
      if (confirm(editScriptTexts.signOut(names.size, areTalks ? 'talk' : 'form'))) discardUnsaved()
      else event.preventDefault()
    })
  }
}

/** On the page of a form that can no longer be saved, leaves only the fields that the storage has text for. */
function showTyped(): void {
  for (const list of document.querySelectorAll<HTMLElement>('[data-typed]')) {
    const typed = findSent(list.dataset.typed ?? '')?.state ?? {}
    const rows = [...list.querySelectorAll<HTMLElement>('[data-control]')]
    const others = rows.filter(({ dataset }) => !Object.hasOwn(typed, dataset.control ?? ''))
    if (others.length < rows.length) for (const row of others) row.remove()
  }
}

/** Leaving a page by a link ends the wait for the result of a form: the next save is another one. */
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

function keepUnsaved(form: HTMLFormElement, name: string): void {
  const key = createKey(name)
  const isUnsaved = form.hasAttribute('data-unsaved')
  const first = readState(form)
  const kept = sortKept(name, first)
  const saved = isUnsaved ? without(first, kept.inForm) : first
  const page = readPage(form, kept.inForm)
  let timer = 0
  /** Stores the unsaved text; false if that fails. */
  const store = () => {
    clearTimeout(timer)
    timer = 0
    const state = findDifference(saved, readState(form))
    if (!isEmpty(state)) return storeUnsaved(key, { at: Date.now(), etag: findEtag(form)?.value ?? '', state, ...page })
    removeKept(key)
    return true
  }
  // A form with unsaved text takes over these texts; otherwise they are saved already.
  if (!isUnsaved || store()) for (const keptText of kept.inForm) removeKept(keptText.key)
  if (!isUnsaved) {
    offerKept(form, kept.others, (keptText) => {
      const isWhole = isEmpty(findDifference(readState(form), keptText.state))
      if (store() && isWhole) removeKept(keptText.key)
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
  // The sign-out asks about all stored texts.
  document.addEventListener('submit', () => timer !== 0 && store(), { capture: true })
}

/** Parameters of a page that follows a form. */
const flags = ['saved', 'unchanged', 'unsaved', 'end', 'do']

/** Leaves out the path of a page that responds to a form: opened again, it would be another page. */
function readPage(form: HTMLFormElement, [before]: readonly KeptText[]): Pick<UnsavedText, 'title' | 'path'> {
  const title = document.querySelector('h1')?.textContent ?? ''
  if (form.hasAttribute('data-unsaved')) return { title: before?.title || title, path: before?.path ?? '' }
  // A work list sends the talks that are ticked, or itself.
  if (location.search === '' && form.querySelector('input[name=id], input[name=list]') !== null)
    return { title, path: '' }
  const query = new URLSearchParams(location.search)
  for (const flag of flags) query.delete(flag)
  return { title, path: [location.pathname, query].join(query.size === 0 ? '' : '?') }
}

interface SortedTexts {
  /** Texts that are all in the form. */
  readonly inForm: readonly KeptText[]
  readonly others: readonly KeptText[]
}

function sortKept(name: string, first: FormState): SortedTexts {
  const groups = Map.groupBy(listKept(name), ({ state }) => isEmpty(findDifference(first, state)))
  return { inForm: groups.get(true) ?? [], others: groups.get(false) ?? [] }
}

/** Without the entries that the server shows as typed: their saved values are unknown here. */
function without(first: FormState, keptTexts: readonly KeptText[]): FormState {
  const unsaved = keptTexts.length === 0 ? first : Object.assign({}, ...keptTexts.map(({ state }) => state))
  return Object.fromEntries(Object.entries(first).filter(([name]) => !Object.hasOwn(unsaved, name)))
}

/** Offers unsaved texts of other tabs and earlier visits, newest first. Calls `onRestore` after restoring one. */
function offerKept(
  form: HTMLFormElement,
  keptTexts: readonly KeptText[],
  onRestore: (keptText: KeptText) => void,
): void {
  // The same text may have been left twice.
  const groups = Map.groupBy(keptTexts, ({ state, etag }) => JSON.stringify([state, etag]))
  form.prepend(...[...groups.values()].map((group) => createOffer(form, group, onRestore)))
}

function createOffer(
  form: HTMLFormElement,
  group: readonly KeptText[],
  onRestore: (keptText: KeptText) => void,
): HTMLElement {
  const box = createElement('div', 'unsaved-offer')
  box.setAttribute('role', 'status')
  const restore = createButton('button', texts.restore, () => {
    for (const keptText of group) {
      restoreKept(form, keptText)
      onRestore(keptText)
    }
    box.replaceChildren(createElement('p', '', texts.restored))
  })
  const drop = createButton('button quiet', texts.discard, () => {
    for (const { key } of group) removeKept(key)
    box.remove()
  })
  box.append(createElement('p', '', toText(form, group)), restore, drop)
  return box
}

function toText(form: HTMLFormElement, [keptText]: readonly KeptText[]): string {
  if (keptText === undefined) return ''
  const time = toMoment(new Date(keptText.at).toISOString())
  const etag = findEtag(form)?.value ?? ''
  const isOlder = etag !== '' && keptText.etag !== '' && keptText.etag !== etag
  return [texts.found(time, listLabels(form, keptText)), ...(isOlder ? [texts.isOlder] : [])].join(' ')
}

/** The labels of its fields, which tell apart two texts of one form. */
function listLabels(form: HTMLFormElement, { state }: KeptText): string {
  const labels = [...form.querySelectorAll('label')].flatMap(({ control, firstChild }) => {
    // A list of names has a control of its own, and the text area of the form behind it.
    const area = control?.id.endsWith('-add') ? form.querySelector(`#${CSS.escape(control.id.slice(0, -4))}`) : control
    const isTyped = Object.hasOwn(state, area?.getAttribute('name') ?? '')
    return isTyped ? [firstChild?.textContent?.trim() ?? ''] : []
  })
  return [...new Set(labels)].filter((label) => label !== '').join(', ')
}

/**
 * Gives the form the ETag of the version that the text was typed into, so that the server sees what others changed
 * since. Of two texts, the older version counts.
 */
function restoreKept(form: HTMLFormElement, keptText: KeptText): void {
  const etag = findEtag(form)
  const isNewer = Number.parseInt(keptText.etag, 10) > Number.parseInt(etag?.value ?? '', 10)
  if (etag !== null && keptText.etag !== '' && !isNewer) etag.value = keptText.etag
  writeState(form, keptText.state)
}

/** Title and page are those of the newest text. */
function createEntry(home: string, name: string, group: readonly KeptText[]): HTMLElement {
  const [newest] = group
  const entry = createElement('li', '')
  const talk = /^video-(\d{1,15})$/.exec(name)
  const title = newest?.title || (talk === null ? texts.untitled : texts.talk(talk[1] ?? ''))
  const path = newest?.path || (talk === null ? '' : `${home}/video/${talk[1]}`)
  const drop = createButton('button quiet small', texts.drop, () => {
    if (!confirm(texts.isSure(title))) return
    for (const { key } of group) removeKept(key)
    entry.remove()
  })
  drop.setAttribute('aria-label', texts.dropOf(title))
  const time = createElement('span', 'muted', toMoment(new Date(newest?.at ?? 0).toISOString()))
  entry.append(createTitle(title, path), time, drop)
  return entry
}

/** Without a link if the page was the response to a form, such as that of ticked talks. */
function createTitle(title: string, path: string): HTMLElement {
  // Only a path of this site, whatever was stored.
  if (!/^\/(?![/\\])/.test(path)) return createElement('bdi', '', title)
  const link = createElement('a', '')
  link.href = path
  link.append(createElement('bdi', '', title))
  return link
}

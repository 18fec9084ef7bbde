import { copyText } from './copy.ts'
import { type KeptIds, maxListed, parseKeptIds, parseTalkPath, withIds } from './kept-ids.ts'
import { readItem, storeItem, tabItems } from './storage.ts'

/** Lists in local storage: talks to watch later, and those that were watched. Nothing of them is sent. */
const items = { later: 'rostrum.later', watched: 'rostrum.watched' } as const
type ListName = keyof typeof items

/** The lists before and after the last change on the page of one's own list, for this tab. */
const undoItem = 'rostrum.later.before'

/** Older marks are dropped. */
const maxWatched = 5_000
const fullText = `Your list is full (${maxListed})`

/** Buttons and marks of talks, and the page of a list. */
export function addOwnList(): void {
  showLink()
  addToggle('later')
  addToggle('watched')
  markCards()
  addListPage()
  // Another tab has changed a list.
  addEventListener('storage', ({ key }) => {
    if (key === items.later || key === items.watched) showAll()
  })
}

/** A talk that was played to its end. */
export function markWatched(path: string): void {
  const id = parseTalkPath(path)
  if (id !== null) store('watched', withIds(read('watched'), [id]))
}

const read = (name: ListName): KeptIds => parseKeptIds(readItem(items[name]))

function store(name: ListName, ids: KeptIds): boolean {
  const isStored = storeItem(items[name], JSON.stringify(ids.slice(0, name === 'later' ? maxListed : maxWatched)))
  showAll()
  return isStored
}

/** False if the list is full, or the browser stores nothing. */
function toggle(name: ListName, id: number): boolean {
  const kept = read(name)
  if (kept.includes(id))
    return store(
      name,
      kept.filter((each) => each !== id),
    )
  if (name === 'later' && kept.length >= maxListed) return false
  return store(name, withIds(kept, [id]))
}

/** Shows the lists as they are now. */
function showAll(): void {
  showLink()
  for (const name of ['later', 'watched'] as const) {
    const kept = read(name)
    for (const button of document.querySelectorAll<HTMLElement>(`[data-${name}] > button, button[data-${name}]`)) {
      setOn(button, kept.includes(toId(button)))
    }
  }
  const watched = read('watched')
  for (const mark of document.querySelectorAll<HTMLElement>('.watched-mark')) {
    mark.hidden = !watched.includes(Number(mark.dataset.talk))
  }
}

/** A button with two texts says what it does; any other one is pressed or not. */
function setOn(button: HTMLElement, isOn: boolean): void {
  const { on, off } = button.dataset
  if (on === undefined) return button.setAttribute('aria-pressed', String(isOn))
  button.textContent = isOn ? on : (off ?? '')
  button.classList.toggle('on', isOn)
}

function toId(button: HTMLElement): number {
  const { later, watched } = { ...button.parentElement?.dataset, ...button.dataset }
  return Number(later ?? watched)
}

function showLink(): void {
  const link = document.querySelector<HTMLElement>('[data-own-link]')
  const count = link?.querySelector('[data-count]')
  if (!link || !count) return
  const { length } = read('later')
  link.hidden = length === 0
  count.textContent = String(length)
}

/** The button of a talk's page. */
function addToggle(name: ListName): void {
  const item = document.querySelector<HTMLElement>(`[data-${name}]`)
  const button = item?.querySelector('button')
  if (!item || !button) return
  item.hidden = false
  addClick(button, name, toId(button))
}

function addClick(button: HTMLElement, name: ListName, id: number): void {
  setOn(button, read(name).includes(id))
  button.addEventListener('click', () => {
    if (!toggle(name, id) && name === 'later') button.textContent = fullText
  })
}

/** On each card: whether the talk was watched and, for a mouse, a button for later. Its page has one for everybody. */
function markCards(): void {
  const watched = read('watched')
  for (const card of document.querySelectorAll<HTMLElement>('.talk-card')) {
    const link = card.querySelector<HTMLAnchorElement>(':is(h2, h3) a')
    const id = parseTalkPath(link?.pathname ?? '')
    if (id === null) continue
    const marks = create('div', 'card-marks')
    const mark = create('span', 'watched-mark', 'Watched')
    mark.dataset.talk = String(id)
    mark.hidden = !watched.includes(id)
    marks.append(mark, createLater(id, link?.textContent ?? ''))
    card.append(marks)
  }
}

function createLater(id: number, title: string): HTMLElement {
  const button = create('button', 'card-later')
  button.setAttribute('type', 'button')
  button.dataset.later = String(id)
  button.tabIndex = -1
  button.title = 'Watch later'
  button.setAttribute('aria-label', `Watch later: ${title}`)
  addClick(button, 'later', id)
  return button
}

function create(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

/** `/list`: leads to one's own list, which is an address like any other; or offers to add a list to it. */
function addListPage(): void {
  const start = document.querySelector<HTMLElement>('[data-own-list]')
  const own = read('later')
  if (start !== null) {
    if (own.length > 0) return location.replace(toListUrl(own))
    show(start, '[data-empty]')
    addUndo(start)
  }
  const page = document.querySelector<HTMLElement>('[data-list]')
  const shown = parseKeptIds(`[${page?.dataset.list ?? ''}]`)
  if (page === null || shown.length === 0) return
  addCopyLink(page)
  if (shown.every((id) => own.includes(id))) addOwnPage(page)
  else addImport(page, shown)
}

function addCopyLink(page: HTMLElement): void {
  const button = show(page, '[data-copy-link]')?.querySelector('button')
  button?.addEventListener('click', () => void copyText(button, location.href))
}

function addOwnPage(page: HTMLElement): void {
  const heading = page.querySelector<HTMLElement>('[data-own-title]')
  const { ownTitle = '' } = heading?.dataset ?? {}
  document.title = document.title.replace(heading?.textContent ?? '', ownTitle)
  if (heading !== null) heading.textContent = ownTitle
  page.querySelector('[data-others]')?.setAttribute('hidden', '')
  show(page, '[data-own]')
  show(page, '[data-clear]')?.addEventListener('click', () => change([]))
  addUndo(page)
  for (const card of page.querySelectorAll<HTMLElement>('.talk-card')) {
    const id = findCardId(card)
    const button = show(card, '[data-remove]')
    button?.setAttribute('aria-label', `Remove ${findCardTitle(card)}`)
    button?.addEventListener('click', () => change(read('later').filter((each) => each !== id)))
  }
}

/** Reverts the last change on this page, unless the list has changed since. */
function addUndo(page: HTMLElement): void {
  const [before = null, after = null] = (tabItems.readItem(undoItem) ?? '').split(' ')
  if (after !== JSON.stringify(read('later'))) return
  show(page, '[data-undo]')
    ?.querySelector('button')
    ?.addEventListener('click', () => {
      tabItems.removeItem(undoItem)
      open(parseKeptIds(before))
    })
}

function addImport(page: HTMLElement, shown: KeptIds): void {
  for (const card of page.querySelectorAll<HTMLElement>('.talk-card')) addChoice(card)
  const button = show(page, '[data-add]')
  button?.addEventListener('click', () => {
    const ids = withIds(read('later'), shown)
    if (ids.length > maxListed) button.textContent = fullText
    else open(ids)
  })
}

/** A button that keeps one talk of somebody else's list. */
function addChoice(card: HTMLElement): void {
  const id = findCardId(card)
  const button = show(card, '[data-remove]')
  if (button === null) return
  button.textContent = 'Watch later'
  button.dataset.later = String(id)
  button.setAttribute('aria-label', `Watch later: ${findCardTitle(card)}`)
  addClick(button, 'later', id)
}

const findCardId = (card: HTMLElement) => Number(card.querySelector<HTMLElement>('[data-later]')?.dataset.later)
const findCardTitle = (card: HTMLElement) => card.querySelector(':is(h2, h3)')?.textContent ?? ''

/** Stores one's own list so that it can be undone, and opens it. */
function change(ids: KeptIds): void {
  tabItems.storeItem(undoItem, [read('later'), ids].map((each) => JSON.stringify(each)).join(' '))
  open(ids)
}

/** Stores one's own list and opens it. */
function open(ids: KeptIds): void {
  if (store('later', ids)) location.assign(toListUrl(ids))
}

function toListUrl(ids: KeptIds): string {
  const link = document.querySelector<HTMLAnchorElement>('[data-own-link] a')
  const url = new URL(link?.href ?? location.pathname, location.href)
  // Commas stay readable.
  return `${url.pathname}${ids.length === 0 ? '' : `?ids=${ids.join(',')}`}`
}

function show(page: HTMLElement, selector: string): HTMLElement | null {
  const part = page.querySelector<HTMLElement>(selector)
  if (part !== null) part.hidden = false
  return part
}

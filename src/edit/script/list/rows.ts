import { keepReturn, keepRow, readKeptPlace, takeReturn } from './list-place.ts'

const rowSelector = '[data-row], .edit-table tbody tr:has(a[href]):not([data-row] *)'

const listRows = () => [...document.querySelectorAll<HTMLElement>(rowSelector)].filter((row) => row.checkVisibility())
const linkOf = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>('a[href]') ?? null

/** The row that was moved to last: ticking it may move the focus elsewhere. */
let last: HTMLElement | null = null

/** The row with the focus, the last one that had it, or the one that the address names. */
export function findCurrentRow(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>(rowSelector)
  const known = last?.isConnected === true ? last : null
  return focused ?? known ?? document.querySelector<HTMLElement>('[data-row]:target')
}

/**
 * After the form of a row, or its undo, the list goes on at the same place: a row that left the list gives its place to
 * the next.
 */
export function addRowReturn(): void {
  document.addEventListener('submit', ({ submitter }) => {
    const row = submitter?.closest<HTMLElement>('[data-row]')
    const rows = listRows()
    if (row != null) keepRow(row.dataset.row ?? '', rows[rows.indexOf(row) + 1]?.dataset.row ?? '')
    if (row != null || submitter?.dataset.key === 'u') keepReturn()
  })
  const rows = listRows()
  const position = takeReturn() ? findPosition(rows) : null
  if (position !== null) focusRow(rows[Math.ceil(position)], 'instant')
}

/** Moves the focus to the link of the next or previous row; whether the page has rows. */
export function moveRow(step: 1 | -1): boolean {
  const rows = listRows()
  if (rows.length === 0) return false
  const from = findPosition(rows) ?? (step === 1 ? -1 : rows.length)
  const next = step === 1 ? Math.floor(from) + 1 : Math.ceil(from) - 1
  return focusRow(rows[Math.min(rows.length - 1, Math.max(0, next))])
}

function focusRow(row: HTMLElement | undefined, behavior: ScrollBehavior = 'auto'): boolean {
  if (row === undefined) return false
  last = row
  linkOf(row)?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest', behavior })
  return true
}

export function tickRow(): boolean {
  const box = findCurrentRow()?.querySelector<HTMLElement>('input[type=checkbox]:enabled') ?? null
  box?.click()
  return box !== null
}

/** Chooses the radio button at this position of the row, from 1. */
export function chooseInRow(position: number): boolean {
  const buttons = findCurrentRow()?.querySelectorAll<HTMLInputElement>('input[type=radio]:enabled') ?? []
  const button = buttons[position - 1]
  button?.click()
  button?.focus()
  return button !== undefined
}

/** Follows the link of the row. */
export function openRow(): boolean {
  const link = linkOf(findCurrentRow() ?? undefined)
  link?.click()
  return link !== null
}

/** Where the next move starts; between two rows if the talk that was open last is not in the list any more. */
function findPosition(rows: readonly HTMLElement[]): number | null {
  const current = findCurrentRow()
  if (current !== null && rows.includes(current)) return rows.indexOf(current)
  const place = readKeptPlace()
  const find = (id: string) => rows.findIndex((row) => id !== '' && row.dataset.row === id)
  const [talk, next] = place === null ? [-1, -1] : [find(place.talk), find(place.next)]
  if (talk >= 0) return talk
  return next >= 0 ? next - 0.5 : null
}

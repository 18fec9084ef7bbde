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

/** Moves the focus to the link of the next or previous row; whether the page has rows. */
export function moveRow(step: 1 | -1): boolean {
  const rows = listRows()
  if (rows.length === 0) return false
  const current = findCurrentRow()
  const at = current === null ? -1 : rows.indexOf(current)
  const next = at < 0 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))
  const row = rows[next]
  if (row === undefined) return false
  last = row
  linkOf(row)?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  return true
}

export function tickRow(): boolean {
  const box = findCurrentRow()?.querySelector<HTMLElement>('input[type=checkbox]:enabled') ?? null
  box?.click()
  return box !== null
}

/** Follows the link of the row. */
export function openRow(): boolean {
  const link = linkOf(findCurrentRow() ?? undefined)
  link?.click()
  return link !== null
}

import type { Child } from '#jsx/jsx-runtime'
import { toNumber } from '../../record/text/counted.ts'

interface FindBoxProps {
  /** The path of the list. */
  readonly action: string
  readonly q?: string
  /** What can be found: `Find a speaker`. */
  readonly label: string
  readonly maxLength: number
  /** Parameters that the list keeps. */
  readonly kept?: readonly { readonly name: string; readonly value: string }[]
}

/** A box that narrows a list. */
export function FindBox({ action, q = '', label, maxLength, kept = [] }: FindBoxProps) {
  return (
    <search class="search-box name-search">
      <form action={action} method="get">
        <input
          type="search"
          name="q"
          value={q}
          dir="auto"
          maxlength={maxLength}
          aria-label={label}
          placeholder={label}
        />
        {kept.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" aria-label={label}>
          <span aria-hidden="true">→</span>
        </button>
      </form>
    </search>
  )
}

interface PagerProps {
  readonly page: number
  /** The number of pages that are known to exist. */
  readonly last: number
  /** There may be more pages than that. */
  readonly isOpen?: boolean
  toHref(page: number): string
  /** Whether `n` and `p` open the next and previous page. */
  readonly hasKeys?: boolean
}

/** Links to the other pages of a list; nothing if there is only one page. */
export function Pager({ page, last, isOpen = false, toHref, hasKeys = false }: PagerProps) {
  if (last <= 1 && page === 1) return null
  return (
    <nav class="pager" aria-label="Pages" data-printed={isOpen ? undefined : `Page ${page} of ${last}`}>
      {page > 1 ? (
        <a class="step" rel="prev" data-key={hasKeys ? 'p' : undefined} href={toHref(page - 1)}>
          ← Previous
        </a>
      ) : (
        <span />
      )}
      <ol class="pages">
        {toShownPages(page, last).map((each, i) =>
          each === null ? (
            <li key={`gap ${i}`} class="gap" aria-hidden="true">
              …
            </li>
          ) : (
            <li key={each} class={Math.abs(each - page) > 1 && each !== 1 && each !== last ? 'far' : undefined}>
              <a
                href={toHref(each)}
                aria-label={`Page ${toNumber(each)}`}
                aria-current={each === page ? 'page' : undefined}
              >
                {toNumber(each)}
              </a>
            </li>
          ),
        )}
        {isOpen && (
          <li class="gap" aria-hidden="true">
            …
          </li>
        )}
      </ol>
      {page < last ? (
        <a class="step" rel="next" data-key={hasKeys ? 'n' : undefined} href={toHref(page + 1)}>
          Next →
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

const reach = 2

/** The first and last page and those around this one; null for a gap of two pages or more. */
export function toShownPages(page: number, last: number): (number | null)[] {
  const from = page - reach <= 3 ? 1 : page - reach
  const to = page + reach >= last - 2 ? last : page + reach
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  return [...(from > 1 ? [1, null] : []), ...near, ...(to < last ? [null, last] : [])]
}

interface FoldedProps<Item> {
  readonly items: readonly Item[]
  readonly shown: number
  /** `from`: the position of the first of them. */
  toList(items: readonly Item[], from: number): Child
}

/** So few more are not worth a click. */
const few = 2

/** The first items of a list, and a fold with the others. */
export function Folded<Item>({ items, shown, toList }: FoldedProps<Item>) {
  if (items.length <= shown + few) return <>{toList(items, 0)}</>
  return (
    <>
      {toList(items.slice(0, shown), 0)}
      <details class="more">
        <summary>{`${toNumber(items.length - shown)} more`}</summary>
        {toList(items.slice(shown), shown)}
      </details>
    </>
  )
}

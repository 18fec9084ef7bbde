import { toNumber } from '../../record/text/counted.ts'

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

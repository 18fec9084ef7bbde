import type { Child } from '#jsx/jsx-runtime'
import { toNumber } from '../../record/text/counted.ts'

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

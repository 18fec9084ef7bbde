interface FindBoxProps {
  /** The path of the list. */
  readonly action: string
  readonly q?: string
  /** What can be found: `Find a speaker`. */
  readonly label: string
  readonly maxLength: number
  /** A parameter that the list keeps. */
  readonly kept?: { readonly name: string; readonly value: string }
}

/** A box that narrows a list. */
export function FindBox({ action, q = '', label, maxLength, kept }: FindBoxProps) {
  return (
    <search class="search-box name-search">
      <form action={action} method="get">
        <input type="search" name="q" value={q} maxlength={maxLength} aria-label={label} placeholder={label} />
        {kept !== undefined && <input type="hidden" {...kept} />}
        <button type="submit" aria-label={label}>
          <span aria-hidden="true">→</span>
        </button>
      </form>
    </search>
  )
}

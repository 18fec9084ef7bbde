interface FindBoxProps {
  /** The path of the list. */
  readonly action: string
  readonly q: string
  /** What can be found: `Find a speaker`. */
  readonly label: string
  readonly maxLength: number
}

/** A box that narrows a list of names. */
export function FindBox({ action, q, label, maxLength }: FindBoxProps) {
  return (
    <search class="search-box name-search">
      <form action={action} method="get">
        <input type="search" name="q" value={q} maxlength={maxLength} aria-label={label} placeholder={label} />
        <button type="submit" aria-label={label}>
          <span aria-hidden="true">→</span>
        </button>
      </form>
    </search>
  )
}

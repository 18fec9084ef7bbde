interface CopyLineProps {
  readonly id: string
  /** The id of the element that names the field. */
  readonly labelledBy: string
  readonly value: string
}

/** An address in a field, with a button to copy it that the script shows. */
export function CopyLine({ id, labelledBy, value }: CopyLineProps) {
  return (
    <div class="copy-line">
      <input id={id} type="text" value={value} readonly aria-labelledby={labelledBy} spellcheck="false" />
      <button
        type="button"
        data-copy={id}
        data-done="Copied"
        data-failed="Could not copy"
        aria-describedby={labelledBy}
        hidden
      >
        Copy
      </button>
    </div>
  )
}

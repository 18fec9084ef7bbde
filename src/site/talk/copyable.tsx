interface CopyableProps {
  readonly id: string
  readonly label: string
  readonly text: string
}

/** A text to copy. The button appears with the script. */
export function Copyable({ id, label, text }: CopyableProps) {
  return (
    <div class="copyable">
      <div class="copyable-head">
        <h3 id={id}>{label}</h3>
        <button
          type="button"
          data-copy={`${id}-text`}
          data-done="Copied"
          data-failed="Could not copy"
          aria-describedby={id}
          hidden
        >
          Copy
        </button>
      </div>
      <textarea id={`${id}-text`} readonly rows={text.split('\n').length + 1} aria-labelledby={id} spellcheck="false">
        {text}
      </textarea>
    </div>
  )
}

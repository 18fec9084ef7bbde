import type { Urls } from '../../site/urls.ts'
import { toFullLabel, type WritableIn } from '../form/field-hints.ts'
import { bulkTexts } from './bulk-texts.ts'
import { type Entries, toOperationName } from './parse-operations.ts'

export interface BulkFieldProps {
  readonly name: string
  readonly field: WritableIn
  readonly entries: Entries
  readonly problems: readonly string[]
  readonly urls: Urls
}

/** An empty text stays as it is, so clearing needs a box of its own. */
export function ClearBox({ name, entries }: Pick<BulkFieldProps, 'name' | 'entries'>) {
  const control = toOperationName(name, 'clear')
  return (
    <label class="clear-box">
      <input
        type="checkbox"
        name={control}
        value="yes"
        checked={entries.has(control)}
        aria-label={bulkTexts.clearThis(toFullLabel(name))}
      />
      {bulkTexts.clear}
    </label>
  )
}

export function Problems({ id, problems }: { readonly id: string; readonly problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <p class="field-error" id={id}>
      <span class="hidden-text">Error: </span>
      {problems.join(' ')}
    </p>
  )
}

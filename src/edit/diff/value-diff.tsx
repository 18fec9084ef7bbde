import type { JsonValue } from '../../record/json.ts'
import { diffLists, type ListEntry } from '../../record/text/list-diff.ts'
import type { StepBudget } from '../../record/text/sequence-diff.ts'
import { type FieldTable, toHint } from '../form/field-hints.ts'
import { formTexts } from '../form/form-texts.ts'
import { toReadable } from './readable-value.ts'
import { Changed, TextDiff } from './text-diff.tsx'

export interface FieldDiffProps {
  readonly name: string
  readonly table: FieldTable
  readonly before: JsonValue
  readonly after: JsonValue
  /** BCP 47 code of the talk's language. */
  readonly lang?: string | undefined
  readonly isWhole?: boolean
  /** What all diffs of a page may take together. */
  readonly budget: StepBudget
}

/** What changed in one field: words in texts, entries in lists, and one value for another in everything else. */
export function FieldDiff({ name, table, before, after, lang, isWhole = false, budget }: FieldDiffProps) {
  const field = table[name]
  const kind = field?.access === 'write' ? field.kind : null
  if (Array.isArray(before) && Array.isArray(after)) {
    return <ListDiff before={before.map(String)} after={after.map(String)} />
  }
  const isText = kind?.type === 'string' && before !== '' && after !== ''
  if (isText && typeof before === 'string' && typeof after === 'string') {
    const own = toHint(name).isProse === true ? lang : undefined
    return <TextDiff before={before} after={after} lang={own} isWhole={isWhole} budget={budget} />
  }
  const [old, now] = [toReadable(name, kind, before), toReadable(name, kind, after)]
  return (
    <div class="value-diff">
      <Changed is="removed" text={old} />
      <span aria-hidden="true"> → </span>
      <Changed is="added" text={now} />
    </div>
  )
}

const signs = { same: '', moved: '↕', added: '+', removed: '−' } as const

function ListDiff({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) {
  return (
    <ul class="list-diff">
      {diffLists(before, after).map((entry, i) => (
        <li key={i} class={`is-${entry.is}`}>
          <Entry {...entry} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ is, text }: ListEntry) {
  if (is === 'same') return <span dir="auto">{text}</span>
  const Tag = is === 'added' ? 'ins' : is === 'removed' ? 'del' : 'span'
  return (
    <>
      <span class="sign" aria-hidden="true">
        {signs[is]}
      </span>
      <span class="hidden-text">{formTexts.diff[is]} </span>
      <Tag dir="auto">{text}</Tag>
    </>
  )
}

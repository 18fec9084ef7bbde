import { toNumber } from '../../record/text/counted.ts'
import type { StepBudget } from '../../record/text/sequence-diff.ts'
import { type DiffPart, diffWords } from '../../record/text/word-diff.ts'
import { formTexts } from '../form/form-texts.ts'
import { toLf } from '../form/line-ends.ts'
import { type ExcerptPart, toExcerpt } from './diff-excerpt.ts'

interface TextDiffProps {
  readonly before: string
  readonly after: string
  /** BCP 47 code of the talk's language. */
  readonly lang?: string | undefined
  /** Shows unchanged parts in full, however long they are. */
  readonly isWhole?: boolean
  /** What all diffs of a page may take together. */
  readonly budget: StepBudget
}

/** One text with what was removed and added in it. */
export function TextDiff({ before, after, lang, isWhole = false, budget }: TextDiffProps) {
  if (before !== after && toLf(before) === toLf(after)) return <p class="muted">{formTexts.diff.lineEnds}</p>
  const parts = diffWords(before, after, budget)
  return (
    <div class="text-diff" dir="auto" lang={lang}>
      {(isWhole ? parts : toExcerpt(parts)).map((part, i) => (
        <Part key={i} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { readonly part: ExcerptPart }) {
  switch (part.is) {
    case 'same':
      return <span>{toLf(part.text)}</span>
    case 'skipped':
      return <span class="skipped">{formTexts.diff.skipped(toNumber(part.characters))}</span>
    default:
      return <Changed is={part.is} text={toVisible(part)} />
  }
}

/** Few screen readers say that a text is inserted or deleted. */
export function Changed({ is, text }: { readonly is: 'added' | 'removed'; readonly text: string }) {
  const Tag = is === 'added' ? 'ins' : 'del'
  return (
    <Tag>
      <span class="hidden-text"> {formTexts.diff[is]} </span>
      {text}
      <span class="hidden-text"> ({formTexts.diff.endOfChange}) </span>
    </Tag>
  )
}

/** Line breaks are seen as signs, and so are spaces where nothing else has changed. */
function toVisible({ text }: DiffPart): string {
  const withBreaks = toLf(text).replaceAll('\n', '↵\n')
  return text.trim() === '' ? withBreaks.replaceAll(' ', '·').replaceAll('\t', '→') : withBreaks
}

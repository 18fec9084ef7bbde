import type { Caller } from '../../http/route.ts'
import type { JsonObject } from '../../record/json.ts'
import { toNumber } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import type { BatchReport, BulkPreview } from '../../store/change-log.ts'
import { PostForm, renderEditPage } from '../edit-page.tsx'
import { type FormButton, SaveBar } from '../form/record-form.tsx'
import type { BulkInput } from './bulk-input.ts'
import { bulkTexts } from './bulk-texts.ts'
import { toHiddenChoice } from './chosen-talks.ts'
import { Differences } from './differences.tsx'
import type { ListedTalk } from './listed-talks.ts'
import { OperationList } from './operation-list.tsx'
import { Refusals } from './refusals.tsx'

export interface PreviewProps {
  readonly site: Site
  readonly caller: Caller
  readonly input: BulkInput
  readonly patch: JsonObject
  /** Of the dry run. */
  readonly report: BatchReport
  readonly preview: BulkPreview
  /** Titles of the talks that are shown. */
  readonly talks: ReadonlyMap<number, ListedTalk>
  /** A new one, so that the form changes the talks once. */
  readonly formKey: string
  /** Why the preview is shown once more. */
  readonly notice?: string
}

/** What a bulk change would do, in the form that does exactly this (decision 62). */
export function renderPreview(props: PreviewProps): string {
  const { site, caller, input, report, preview, talks, notice, patch } = props
  const shared = { urls: site.urls, list: input.chosen.list, talks }
  const body = (
    <div class="bulk-page">
      <h1>{bulkTexts.previewTitle}</h1>
      {notice !== undefined && (
        <p class="edit-problem" role="alert">
          {notice}
        </p>
      )}
      <PostForm class="edit-form" action={site.urls.bulk()} caller={caller} attributes={{ autocomplete: 'off' }}>
        <HiddenInput {...props} />
        <OperationList patch={patch} />
        <Counts report={report} />
        <Refusals {...shared} refused={report.refused} />
        <Differences {...shared} differences={preview.differences} count={report.changed} />
        <p class="muted">{toAdvice(report)}</p>
        <SaveBar buttons={toButtons(report)} reason={input.reason} />
      </PostForm>
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, bulkTexts.previewTitle, body)
}

/** Everything that was filled in, to apply it or to go back, and what the preview has seen. */
function HiddenInput({ input, report, preview, formKey }: PreviewProps) {
  const hidden = {
    ...toHiddenChoice(input.chosen),
    ...Object.fromEntries(input.entries),
    expect: String(report.total),
    hash: preview.hash,
    as_of: String(preview.as_of),
    key: formKey,
  }
  return (
    <>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

function Counts({ report: { changed, unchanged, refused_count } }: { readonly report: BatchReport }) {
  const counts = [
    ['willChange', changed],
    ['alreadySo', unchanged - refused_count],
    ['refused', refused_count],
  ] as const
  return (
    <dl class="bulk-counts">
      {counts.map(([name, count]) => (
        <div key={name} class={`is-${name}`}>
          <dt>{bulkTexts[name]}</dt>
          <dd>{toNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

function toAdvice({ changed, refused_count, total }: BatchReport): string {
  if (changed > 0) return bulkTexts.undoable
  return refused_count > 0 && refused_count === total ? bulkTexts.allRefused : bulkTexts.nothingChanges
}

function toButtons({ changed, refused_count }: BatchReport): FormButton[] {
  const back = { action: 'form', label: bulkTexts.back, isQuiet: true }
  if (changed === 0) return [back]
  const apply =
    refused_count === 0
      ? { action: 'apply', label: bulkTexts.apply(changed) }
      : { action: 'apply-others', label: bulkTexts.applyOthers(changed, refused_count) }
  return [apply, back]
}

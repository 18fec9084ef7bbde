import { requireRead } from '../../../../http/problem/read-problems.ts'
import type { Call, TextAnswer } from '../../../../http/route.ts'
import type { JsonObject } from '../../../../record/json/json-value.ts'
import type { FieldErrors } from '../../../../record/record.ts'
import type { SiteNeeds } from '../../../site.ts'
import { ConflictFields } from '../../conflict/conflict-fields.tsx'
import type { ConflictChoices } from '../../conflict/parse-conflict.ts'
import { RecordForm } from '../../form/record-form.tsx'
import type { CuratedName } from '../curated-name.ts'
import type { NameFrame } from '../name-frame.ts'
import { respondStep } from '../name-preview.tsx'
import { namesTexts } from '../names-texts.ts'
import type { CategoryBase } from './category-form.tsx'
import { categoryTable, toDraftKey } from './category-table.ts'
import { TakenTitle } from './taken-title.tsx'

const texts = namesTexts.category

/** Why a choice was not saved: a sentence, or the event that has the title. */
export type CategoryProblem = string | { readonly other: CuratedName }

/** The three sides of a conflicting save. */
export interface CategoryConflict {
  readonly base: CategoryBase
  readonly theirs: CategoryBase
  readonly yours: JsonObject
  readonly reason: string
  readonly chosen?: ConflictChoices
  readonly errors?: FieldErrors
  readonly problem?: CategoryProblem
}

/** Base, theirs and yours of each field that both changed. */
export async function respondConflict(
  call: Call,
  { store }: SiteNeeds,
  frame: NameFrame,
  { base, theirs, yours, reason, chosen, errors, problem }: CategoryConflict,
): Promise<TextAnswer> {
  const { site, caller, name } = frame
  const newest = requireRead(await store.listCategoryHistory({ slug: name.key, page: 1, pageSize: 1 }))
  const by = newest?.lines[0]?.by
  const sides = { base: base.fields, theirs: theirs.fields, yours, table: categoryTable }
  const form = (
    <RecordForm
      action={site.at.editName('category', name.key)}
      caller={caller}
      etag={theirs.versionTag}
      hidden={{ base: base.versionTag }}
      draftKey={`${toDraftKey(name.key)}-conflict`}
      isUnsaved={true}
      reason={reason}
      buttons={[{ action: 'choose', label: texts.saveChosen }]}
    >
      <p>{texts.conflict}</p>
      <ConflictFields
        {...sides}
        {...(by !== undefined && { by })}
        {...(chosen && { chosen })}
        {...(errors && { errors })}
      />
    </RecordForm>
  )
  const body = (
    <>
      {problem !== undefined && (
        <div class="edit-problem" role="alert">
          <Problem {...{ ...frame, problem, reason }} />
        </div>
      )}
      {form}
    </>
  )
  return respondStep(call, frame, texts.conflictTitle(name.name), body)
}

interface ProblemProps extends NameFrame {
  readonly problem: CategoryProblem
  readonly reason: string
}

/** Two events cannot have one title, but they can be merged. */
export function Problem({ problem, ...frame }: ProblemProps) {
  return typeof problem === 'string' ? <>{problem}</> : <TakenTitle {...frame} other={problem.other} />
}

import type { Child } from '#jsx/jsx-runtime'
import type { Caller } from '../../../http/caller.ts'
import type { JsonObject } from '../../../record/json/json-value.ts'
import type { FieldErrors } from '../../../record/record.ts'
import { live } from '../../../record/state.ts'
import type { Site } from '../../site.ts'
import { texts as siteTexts } from '../../texts.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { RecordForm } from '../form/record-form.tsx'
import { toConflictKey } from '../video/draft-keys.ts'
import { type EditorAction, type Move, toConflictButtons } from '../video/editor-actions.ts'
import { EditorHead } from '../video/editor-head.tsx'
import type { ListPlace } from '../video/list-place.ts'
import { editedFields } from '../video/locks.ts'
import type { TalkVersion } from '../video/talk-version.ts'
import { videoTexts } from '../video/video-texts.ts'
import { ConflictFields } from './conflict-fields.tsx'
import type { ConflictChoices } from './parse-conflict.ts'

export interface ConflictPage {
  readonly site: Site
  readonly caller: Caller
  readonly place: ListPlace | null
  readonly base: TalkVersion
  readonly theirs: TalkVersion
  readonly yours: JsonObject
  /** Who made the other changes, if it was one person. */
  readonly by: string | null
  readonly reason: string
  /** What the form was sent for. */
  readonly action: EditorAction
  /** What is offered besides saving. */
  readonly move: Move | null
  readonly chosen?: ConflictChoices
  readonly errors?: FieldErrors
  readonly notices?: Child
}

/** A save that others were faster than, as HTML. */
export function renderConflictPage(page: ConflictPage): string {
  const { site, caller, place, base, theirs, yours, by, reason, move, chosen, errors, notices } = page
  const { id, record } = theirs
  const { conflict } = videoTexts
  const body = (
    <div class="editor">
      <EditorHead {...{ site, caller, place }} talk={theirs} made={null} isUnsaved />
      {notices}
      <div class="notice">
        <p>{siteTexts.conflict.explain}</p>
        {move !== null && <p>{conflict.moves[move]}</p>}
      </div>
      <RecordForm
        {...{ caller, reason }}
        action={site.at.edit(id, { list: place?.list, from: place?.from })}
        etag={theirs.etag}
        hidden={{ base: base.etag, ...(move === null ? {} : { move }) }}
        draftKey={toConflictKey(id)}
        isUnsaved
        isLive={record.state === live}
        buttons={toConflictButtons(page.action, move, place)}
      >
        <ConflictFields
          base={base.record}
          theirs={theirs.record}
          yours={yours}
          table={editedFields}
          {...(by === null ? {} : { by })}
          {...(chosen === undefined ? {} : { chosen })}
          {...(errors === undefined ? {} : { errors })}
        />
      </RecordForm>
      <p>
        <a href={site.at.edit(id, { list: place?.list })}>{conflict.back}</a>
      </p>
    </div>
  )
  return renderEditPage({ site, caller, section: 'lists' }, conflict.title(record.title), body)
}

import { Refused } from '../../../../http/problem/problem.ts'
import type { Call, TextAnswer } from '../../../../http/route.ts'
import { fromBody } from '../../../../record/json/body-bytes.ts'
import { parseRecordId, type VideoRecord } from '../../../../record/record.ts'
import { toLanguageCode } from '../../../../record/text/language.ts'
import { openSite, type Site, type SiteNeeds } from '../../../site.ts'
import { RecordDiff } from '../../diff/record-diff.tsx'
import { renderEditPage } from '../../edit-layout.tsx'
import { requireCaller } from '../../require-caller.ts'
import { respondEditPage } from '../../respond-edit.ts'
import { listTexts } from '../lists-texts.ts'

const { duplicates: texts } = listTexts

/** Where two talks differ, field by field. `compared` has their ids with a comma. */
export async function compareTalks(call: Call, needs: SiteNeeds, compared: string): Promise<TextAnswer> {
  const site = await openSite(call, needs)
  const [one, other, ...more] = await Promise.all(compared.split(',', 3).map((word) => findRecord(needs, word)))
  if (one == null || other == null || more.length > 0) throw new Refused({ code: 'not_found', detail: texts.wrong })
  const title = texts.compareTitle(one.id, other.id)
  const body = (
    <div class="edit-page">
      <p>
        <a href={site.at.duplicates()}>{texts.back}</a>
      </p>
      <h1>{title}</h1>
      <ul class="compared">
        {[one, other].map((record) => (
          <li key={record.id}>
            <TalkLink site={site} record={record} />
          </li>
        ))}
      </ul>
      <RecordDiff before={one} after={other} />
    </div>
  )
  const frame = { site, caller: requireCaller(call), section: 'lists' } as const
  return respondEditPage(call, renderEditPage(frame, title, body))
}

async function findRecord({ store }: SiteNeeds, word: string): Promise<VideoRecord | null> {
  const id = parseRecordId(word.trim())
  const stored = id === null ? null : await store.read(id)
  return stored === null ? null : fromBody(stored.body)
}

function TalkLink({ site, record: { id, title, language } }: { readonly site: Site; readonly record: VideoRecord }) {
  return (
    <>
      {id}{' '}
      <a href={site.at.edit(id)} lang={toLanguageCode(language) ?? undefined} dir="auto">
        {title}
      </a>
    </>
  )
}

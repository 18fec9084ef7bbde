import type { Caller } from '../../../http/route.ts'
import { hasRole } from '../../../record/command.ts'
import { isParked } from '../../../record/quality/quality.ts'
import type { VideoRecord } from '../../../record/record.ts'
import { draft } from '../../../record/state.ts'
import type { Site } from '../../../site/site.ts'
import { PostForm } from '../../edit-page.tsx'
import { listTexts } from '../lists-texts.ts'

interface ButtonProps {
  readonly site: Site
  readonly caller: Caller
  readonly record: Pick<VideoRecord, 'id' | 'state' | 'whiteboard'>
  /** The list to stay in. */
  readonly list: string
}

const { actions: texts } = listTexts

/** Parks a draft, or takes it back, on its own page (decision 60). */
export function ParkButton({ site, caller, record, list }: ButtonProps) {
  if (record.state !== draft || !hasRole(caller.role, 'editor')) return null
  const isBack = isParked(record.whiteboard)
  return (
    <PostForm caller={caller} action={site.urls.park}>
      <input type="hidden" name="id" value={String(record.id)} />
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="back" value="talk" />
      <button type="submit" class="button quiet small" name="do" value={isBack ? 'unpark' : 'park'}>
        {isBack ? texts.unpark : texts.park}
      </button>
    </PostForm>
  )
}

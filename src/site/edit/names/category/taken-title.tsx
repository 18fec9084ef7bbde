import { PostForm } from '../../post-form.tsx'
import type { CuratedName } from '../curated-name.ts'
import type { NameFrame } from '../name-frame.ts'
import { namesTexts } from '../names-texts.ts'

const texts = namesTexts.category

interface TakenTitleProps extends NameFrame {
  /** The category that has the title. */
  readonly other: CuratedName
  readonly reason: string
}

/** Offers to merge instead of a title that another category has. */
export function TakenTitle({ site, caller, name, other, reason }: TakenTitleProps) {
  return (
    <>
      <p>{texts.taken}</p>
      <PostForm caller={caller} action={site.at.editName('category', name.key)}>
        <input type="hidden" name="into_key" value={other.key} />
        <input type="hidden" name="reason" value={reason} />
        <button class="button quiet" type="submit" name="do" value="merge">
          {texts.mergeInstead(other.name)}
        </button>
      </PostForm>
    </>
  )
}

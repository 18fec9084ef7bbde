import { withParameters } from '../../site/urls.ts'
import { changesTexts } from './changes-texts.ts'

const { batches: texts } = changesTexts

interface AuthorFilterProps {
  /** The path of the list. */
  readonly action: string
  readonly by: string | null
  /** The name of the caller. */
  readonly own: string
}

/** Narrows a list to one author. */
export function AuthorFilter({ action, by, own }: AuthorFilterProps) {
  return (
    <form class="change-filter" action={action}>
      <label>
        {texts.author} <input type="text" name="by" value={by ?? ''} autocomplete="off" dir="auto" />
      </label>
      <button type="submit" class="button quiet">
        {texts.filter}
      </button>
      {by === own ? null : <a href={withParameters(action, { by: own })}>{texts.mine}</a>}
      {by === null ? null : <a href={action}>{texts.all}</a>}
    </form>
  )
}

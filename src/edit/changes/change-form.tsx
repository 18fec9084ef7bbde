import type { Caller } from '../../http/route.ts'
import type { Site } from '../../site/site.ts'
import { type ChangeFilters, toParameters } from './change-filters.ts'
import { changesTexts } from './changes-texts.ts'

const { changes: texts, batch: batchTexts } = changesTexts

interface ChangeFormProps {
  readonly site: Site
  readonly caller: Caller
  readonly filters: ChangeFilters
}

/** What the list is narrowed to; a form that is sent by GET, so that the list has an address. */
export function ChangeForm({ site: { urls }, caller, filters }: ChangeFormProps) {
  const { by, batch, typed } = filters
  const isNarrowed = by !== null || batch !== null || typed.event !== '' || typed.day !== ''
  return (
    <form class="change-filter" action={urls.changes()}>
      <label>
        {texts.author} <input type="text" name="by" value={by ?? ''} autocomplete="off" dir="auto" />
      </label>
      <label>
        {texts.event}{' '}
        <input
          type="text"
          name="category"
          value={typed.event}
          placeholder={texts.eventHelp}
          autocomplete="off"
          dir="auto"
        />
      </label>
      <label>
        {texts.day} <input type="date" name="day" value={typed.day} />
      </label>
      {batch !== null && (
        <span>
          {texts.ofBatch} <a href={urls.batch(batch)}>{batchTexts.title(batch)}</a>
          <input type="hidden" name="batch" value={batch} />
        </span>
      )}
      <button type="submit" class="button quiet">
        {texts.show}
      </button>
      {by !== caller.name && (
        <a href={urls.changes(toParameters({ ...filters, by: caller.name }, null))}>{texts.mine}</a>
      )}
      {isNarrowed && <a href={urls.changes()}>{texts.all}</a>}
    </form>
  )
}

import type { Caller } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import type { Site } from '../../site/site.ts'
import { listTexts } from './lists-texts.ts'
import { maxParked } from './park/park.ts'
import { toListFilters } from './work-list.ts'

interface ActionProps {
  readonly list: string
  readonly site: Site
  readonly caller: Caller
  /** The number of talks in the whole list. */
  readonly count: number
  /** Whether the list has parked drafts only. */
  readonly isParked: boolean
}

const { actions: texts, done } = listTexts

/** What can be done with the ticked talks; only what the caller may do. Bulk changes are shown before they are made. */
export function ListActions({ site: { urls }, caller, list, count, isParked }: ActionProps) {
  if (!hasRole(caller.role, 'editor')) return null
  return (
    <fieldset class="list-actions">
      <legend class="hidden-text">{texts.label}</legend>
      <button type="submit" class="button quiet" data-key="b">
        {texts.change}
      </button>
      {hasRole(caller.role, 'publisher') && (
        <button type="submit" class="button quiet" name="do" value="publish">
          {texts.publish}
        </button>
      )}
      <button
        type="submit"
        class="button quiet"
        formaction={urls.park}
        name="do"
        value={isParked ? 'unpark' : 'park'}
        data-max-ticks={maxParked}
      >
        {isParked ? texts.unpark : texts.park}
      </button>
      <p class="muted" data-ticked={texts.hint} data-unticked={done.unticked} role="status">
        {texts.hint}
      </p>
      <button type="button" class="button quiet small" data-clear-ticks hidden>
        {texts.clear}
      </button>
      {/* All talks of the archive cannot be changed at once. */}
      {toListFilters(new URLSearchParams(list)).size > 0 && (
        <label class="whole-list">
          <input type="checkbox" name="scope" value="all" />
          {texts.all(count)}
        </label>
      )}
    </fieldset>
  )
}

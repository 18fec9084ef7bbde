import type { Command } from '../../../src/record/command.ts'
import type { ActivityPage, ActivityQuery } from '../../../src/store/activity-reads.ts'
import { createActivity } from '../../../src/store/read/activity.ts'
import { createBatchContents } from '../../../src/store/read/batch-contents.ts'
import { createEventChanges } from '../../../src/store/read/change-log.ts'
import type { ListStore } from '../list-stores.ts'

export const createAudit = ({ db }: ListStore) => ({
  ...createBatchContents(db),
  ...createActivity(db),
  ...createEventChanges(db),
})

export const everything: ActivityQuery = { by: null, category: null, batch: null, day: null, cursor: null, limit: 50 }

/** All pages of a list. */
export async function readPages(audit: ReturnType<typeof createAudit>, query: ActivityQuery): Promise<ActivityPage[]> {
  const pages: ActivityPage[] = []
  let { cursor } = query
  do {
    const page = await audit.listActivity({ ...query, cursor })
    pages.push(page)
    cursor = page.next
    if (pages.length > 1_000) throw new Error('the list has no end')
  } while (cursor !== null)
  return pages
}

/** Runs a command, which must succeed. */
export async function run({ writer }: ListStore, command: Command): Promise<void> {
  const outcomes = await writer.run([command], new Set())
  const outcome = outcomes === 'busy' ? undefined : outcomes[0]
  if (outcome === undefined || outcome.is === 'refused' || outcome.is === 'failed') {
    throw new Error(JSON.stringify(outcome))
  }
}

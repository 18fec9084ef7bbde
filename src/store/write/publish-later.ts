import { checkBody } from '../../record/check-body.ts'
import { type ChangeCommand, maxPublishAheadMs, outsideEvent, type ScheduleCommand } from '../../record/command.ts'
import { fromBody } from '../../record/record.ts'
import { type Author, hasRole, isOutside, isRole } from '../../record/role.ts'
import { draft, live } from '../../record/state.ts'
import { type Timestamp, toMs } from '../../record/timestamp.ts'
import type { Schedule, ScheduleFailure } from '../activity-reads.ts'
import type { Outcome } from '../store.ts'
import { refuseCommand } from './batch/plan.ts'
import { limitToEvents } from './event-limits.ts'
import type { RecordRows } from './record-rows.ts'

/** Sets or removes the time at which a draft becomes live. */
export async function schedulePublish(rows: RecordRows, command: ScheduleCommand, at: Timestamp): Promise<Outcome> {
  const { id, publishAt, author, isDryRun = false } = command
  const stored = await rows.read(id)
  if (stored === null) return refuseCommand({ code: (await rows.isErased(id)) ? 'gone' : 'not_found' })
  if (isOutside(author, fromBody(stored.body).category)) return refuseCommand(outsideEvent)
  const before = await rows.schedules.find(id)
  if (publishAt === null) {
    const wasWritten = !isDryRun && before !== null
    if (wasWritten) rows.schedules.remove(id)
    return { is: 'schedule', schedule: null, before, wasWritten }
  }
  if (stored.state !== draft) return refuseCommand({ code: 'not_a_draft' })
  const problem = findTimeProblem(publishAt, at)
  if (problem !== null) return refuseCommand({ code: 'bad_fields', errors: new Map([['at', [problem]]]) })
  const schedule = { id, at: publishAt, by: author.name, role: author.role, asked: at, failure: null }
  if (!isDryRun) rows.schedules.save(schedule)
  return { is: 'schedule', schedule, before, wasWritten: !isDryRun }
}

function findTimeProblem(publishAt: Timestamp, at: Timestamp): string | null {
  if (publishAt <= at) return 'Must be in the future.'
  return toMs(publishAt) - toMs(at) > maxPublishAheadMs ? 'Must be at most two years ahead.' : null
}

/** In one transaction, so that it does not block other writes for long. */
const maxDue = 100

type Change = (rows: RecordRows, command: ChangeCommand, at: Timestamp) => Promise<Outcome>

/**
 * Publishes the drafts whose time has come, in the name of who asked. Each row ends in the transaction that publishes its
 * record, so that every draft is published once, whichever node is first and whenever one dies.
 */
export async function publishDue(rows: RecordRows, at: Timestamp, change: Change): Promise<Outcome> {
  const ids: number[] = []
  const due = await rows.schedules.listDue(at, maxDue)
  for (const schedule of due) {
    const failure = await publish(rows, schedule, at, change)
    if (failure !== null) rows.schedules.fail(schedule.id, failure)
    else {
      rows.schedules.remove(schedule.id)
      ids.push(schedule.id)
    }
  }
  if (due.length > 0) return { is: 'batch', batch: null, ids }
  return { is: 'schedule', schedule: null, before: null, wasWritten: false }
}

async function publish(
  rows: RecordRows,
  { id, by, role }: Schedule,
  at: Timestamp,
  change: Change,
): Promise<ScheduleFailure | null> {
  const stored = await rows.read(id)
  if (stored === null || !checkBody(stored.body).ok) return 'invalid_record'
  const author = await findAuthor(rows, by, role, at)
  if (author === null) return 'token_gone'
  const changes = { state: live } as const
  const command = { kind: 'merge', id, author, changes, precondition: {}, reason: 'scheduled' } as const
  const limited = await limitToEvents<ChangeCommand>(rows, command)
  if (!limited.ok) return 'outside_event'
  const outcome = await change(rows, limited.command, at)
  if (outcome.is === 'stored' || outcome.is === 'unchanged') return null
  return outcome.is === 'refused' && outcome.refusal.code === 'outside_event' ? 'outside_event' : 'invalid_record'
}

/** Authors who have no token, and whose rights end only with the server's settings. */
const withoutToken = ['local', 'ROSTRUM_ADMIN_TOKEN']

/** Null if they may no longer publish. A token that was rotated is still theirs. */
async function findAuthor(rows: RecordRows, name: string, role: string, at: Timestamp): Promise<Author | null> {
  if (withoutToken.includes(name)) return isRole(role) ? { name, role } : null
  const token = await rows.schedules.findToken(name, at)
  if (token === null || !isRole(token.role) || !hasRole(token.role, 'publisher')) return null
  return { name, role: token.role, ...(token.limits > 0 ? { limitedBy: token.id } : {}) }
}

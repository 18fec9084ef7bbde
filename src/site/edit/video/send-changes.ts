import { attempt, logWrite } from '../../../http/execute.ts'
import type { Problem } from '../../../http/problem/problem-codes.ts'
import { toWriteFailure } from '../../../http/problem/read-problems.ts'
import type { HttpCall } from '../../../http/route.ts'
import type { ChangeCommand } from '../../../record/command.ts'
import { fromBody } from '../../../record/json/body-bytes.ts'
import type { Changes, VideoRecord } from '../../../record/record.ts'
import type { Outcome } from '../../../store/store.ts'
import type { SiteHttpNeeds } from '../../site.ts'
import { findContested, withoutSame } from '../conflict/sides.ts'
import { requireCaller, toAuthor } from '../require-caller.ts'
import { findTalk, type TalkVersion } from './talk-version.ts'

/** A change that a person made to a version of a talk. */
export interface WantedChange {
  readonly base: TalkVersion
  readonly changes: Changes
  readonly reason: string | null
}

export type Sent =
  | { readonly is: 'stored' | 'unchanged'; readonly version: number }
  /** Others changed the same fields. */
  | { readonly is: 'conflict'; readonly base: TalkVersion; readonly theirs: TalkVersion; readonly yours: Changes }
  | { readonly is: 'refused'; readonly problem: Problem }

export type Tried =
  | Exclude<Sent, { is: 'stored' | 'unchanged' }>
  | { readonly is: 'possible'; readonly after: VideoRecord }

/** Saves a change, merged with what others changed in other fields. */
export async function sendChanges(needs: SiteHttpNeeds, call: HttpCall, wanted: WantedChange): Promise<Sent> {
  const sent = await send(needs, call, wanted, false)
  if (sent.is === 'dry run') throw new Error('a save was a dry run')
  return sent
}

/** What the change would make of the talk. */
export async function tryChanges(needs: SiteHttpNeeds, call: HttpCall, wanted: WantedChange): Promise<Tried> {
  const sent = await send(needs, call, wanted, true)
  switch (sent.is) {
    case 'dry run':
      return { is: 'possible', after: fromBody(sent.body) }
    case 'stored':
    case 'unchanged':
      throw new Error('a dry run was stored')
    default:
      return sent
  }
}

type Result = Sent | Extract<Outcome, { is: 'dry run' }>

/** Others may change the talk again before each attempt. */
const maxAttempts = 4

async function send(needs: SiteHttpNeeds, call: HttpCall, wanted: WantedChange, isDryRun: boolean): Promise<Result> {
  let { base, changes } = wanted
  for (let i = 0; i < maxAttempts; i++) {
    const command = toCommand(call, { ...wanted, base, changes }, isDryRun)
    const outcome = await attempt(needs, call, command)
    if (outcome.is === 'stored') logWrite(needs.log, call, command, outcome)
    if (outcome.is !== 'refused' || outcome.refusal.code !== 'stale') return toResult(outcome)
    const theirs = await findTalk(needs.store, base.id)
    if (theirs === null) return { is: 'refused', problem: { code: 'not_found' } }
    const isContested = findContested({ base: base.record, theirs: theirs.record, yours: changes }).length > 0
    if (isContested) return { is: 'conflict', base, theirs, yours: changes }
    // Both changed a field in the same way, or it was changed and put back.
    // True: what is left of changes are changes.
    changes = withoutSame(changes, theirs.record) as Changes
    base = theirs
  }
  return { is: 'refused', problem: { code: 'busy' } }
}

function toCommand(call: HttpCall, { base, changes, reason }: WantedChange, isDryRun: boolean): ChangeCommand {
  return {
    kind: 'merge',
    id: base.id,
    author: toAuthor(requireCaller(call)),
    precondition: { mergeBase: base.etag },
    changes,
    ...(reason === null ? {} : { reason }),
    ...(isDryRun ? { isDryRun } : {}),
  }
}

function toResult(outcome: Outcome): Result {
  switch (outcome.is) {
    case 'stored':
    case 'unchanged':
      return { is: outcome.is, version: outcome.stored.version }
    case 'dry run':
      return outcome
    case 'refused':
      return { is: 'refused', problem: outcome.refusal }
    case 'failed':
      return { is: 'refused', problem: toWriteFailure(outcome.failure) }
    default:
      throw new Error(`a change of a talk had the outcome of another command: ${outcome.is}`)
  }
}

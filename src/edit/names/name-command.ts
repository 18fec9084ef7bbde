import { logBatch, requireDone, tryExecute } from '../../http/execute.ts'
import { type Problem, Refused } from '../../http/problem.ts'
import { type Caller, type Form, type HttpCall, toAuthor } from '../../http/route.ts'
import { type CategoryCommand, type NameCommand, parseReason, type UndoCommand } from '../../record/command.ts'
import type { Parsed } from '../../record/field-kind.ts'
import type { Author } from '../../record/role.ts'
import type { SiteHttpDeps } from '../../site/site.ts'
import type { Outcome } from '../../store/store.ts'
import type { CuratedName, NameFrame } from './curated-name.ts'

/** A form that changes a name. */
export interface NameRequest {
  readonly call: HttpCall
  readonly deps: SiteHttpDeps
  readonly frame: NameFrame
  readonly form: Form
}

/** Author and reason of a change. */
export interface Authorship {
  readonly author: Author
  readonly reason?: string
}

export function readAuthorship(form: Form, caller: Caller): Parsed<Authorship> {
  const reason = parseReason(form.get('reason') ?? '')
  if (!reason.ok) return reason
  const author = toAuthor(caller)
  return { ok: true, value: reason.value === null ? { author } : { author, reason: reason.value } }
}

/** The idempotency key of a form: a form that is sent twice changes something once. */
export function readKey(form: Form): string {
  const key = form.get('key') ?? ''
  if (!/^[\w-]{16,64}$/.test(key)) throw new Refused({ code: 'bad_form' })
  return key
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem }

type BatchOutcome = Extract<Outcome, { is: 'batch' }>

/** Runs a command. The page explains a refusal, and keeps what was typed. */
export async function attemptCommand(
  deps: SiteHttpDeps,
  call: HttpCall,
  command: NameCommand | CategoryCommand | UndoCommand,
): Promise<Attempt<BatchOutcome>> {
  const outcome = await tryExecute(deps, call, command)
  if (outcome.is === 'refused') return { ok: false, problem: outcome.problem }
  const value = requireDone('batch', command, outcome)
  if (command.isDryRun !== true && value.batch !== null) logBatch(deps.log, call, value.batch)
  return { ok: true, value }
}

/** Merges one name into another. */
export function toMergeCommand(
  from: Pick<CuratedName, 'kind' | 'key' | 'versionTag'>,
  into: Pick<CuratedName, 'key'>,
  authorship: Authorship,
): NameCommand {
  const precondition = { ifMatch: [from.versionTag] }
  return from.kind === 'category'
    ? { kind: 'merge categories', slug: from.key, into: into.key, precondition, ...authorship }
    : {
        kind: 'merge names',
        of: from.kind,
        nameId: Number(from.key),
        into: Number(into.key),
        precondition,
        ...authorship,
      }
}

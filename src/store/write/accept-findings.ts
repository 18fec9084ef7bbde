import {
  type AcceptCommand,
  type HideCommand,
  outsideEvent,
  publisherRequired,
  type RefusedFinding,
} from '../../record/command.ts'
import { listAffected } from '../../record/quality/finding-codes.ts'
import { hasRole, isOutside } from '../../record/role.ts'
import { live } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { FoundRow } from '../read/findings.ts'
import { toChunks } from '../read/statements.ts'
import type { Outcome } from '../store.ts'
import type { BatchRunDeps } from './batch/batches.ts'
import { findLater, findSelected } from './batch/bulk.ts'
import type { RecordRows } from './record-rows.ts'

/** Judged in the writer's transaction, so that no acceptance hides what somebody has just written. */
export async function acceptFindings(deps: BatchRunDeps, command: AcceptCommand, at: Timestamp): Promise<Outcome> {
  const { rows, selections } = deps
  const { asOf, isDryRun = false } = command
  const found = await findRecords(deps, command)
  if (found.is === 'refused') return found
  const later = asOf === null ? null : await findLater(selections, asOf, new Set(found.ids))
  const refused: RefusedFinding[] = []
  let changed = 0
  for await (const ids of toChunks(found.ids)) {
    const known = new Map((await rows.accepted.lookUp(ids)).map((row) => [row.id, row]))
    for (const id of ids) {
      const row = known.get(id)
      const judged = row === undefined ? await findMissing(rows, id) : judge(row, command, later?.get(id))
      if (judged === 'unchanged') continue
      if (judged !== 'changed') refused.push({ id, refusal: judged })
      else {
        changed++
        if (!isDryRun) write(rows, id, command, at)
      }
    }
  }
  return { is: 'acceptance', at, changed, refused }
}

type Records = Extract<Outcome, { is: 'refused' }> | { readonly is: 'found'; readonly ids: readonly number[] }

async function findRecords({ rows, selections }: BatchRunDeps, command: AcceptCommand): Promise<Records> {
  const { select, code, author, expect, asOf } = command
  if (select.is !== 'made') return findSelected(rows, selections, { select, expect, asOf }, false)
  return { is: 'found', ids: await rows.accepted.listMade(code, author.name, select.at) }
}

async function findMissing(rows: RecordRows, id: number): Promise<RefusedFinding['refusal']> {
  return { code: (await rows.isErased(id)) ? 'gone' : 'not_found' }
}

/** `later`: fields that were changed after what the person has seen. */
function judge(
  { state, category, findings, accepted }: FoundRow,
  { code, author, isAccepted }: AcceptCommand,
  later: ReadonlySet<string> = new Set(),
): 'changed' | 'unchanged' | RefusedFinding['refusal'] {
  if (isOutside(author, category)) return outsideEvent
  if (state === live && !hasRole(author.role, 'publisher')) return publisherRequired.toChangeLive
  const isKnown = accepted.has(code)
  if (!isAccepted) return isKnown ? 'changed' : 'unchanged'
  if (!findings.includes(code)) return { code: 'no_such_finding' }
  if (listAffected([...later]).includes(code)) return { code: 'changed_since' }
  return isKnown ? 'unchanged' : 'changed'
}

function write({ accepted }: RecordRows, id: number, { code, author, isAccepted }: AcceptCommand, at: Timestamp): void {
  if (isAccepted) accepted.insert(id, code, author.name, at)
  else accepted.remove(id, code)
}

export async function hideFindings(rows: RecordRows, command: HideCommand, at: Timestamp): Promise<Outcome> {
  const { code, isHidden, author, isDryRun = false } = command
  if (isDryRun) return { is: 'hiding', wasWritten: false }
  const wasWritten = isHidden ? await rows.accepted.hide(code, author.name, at) : await rows.accepted.show(code)
  return { is: 'hiding', wasWritten }
}

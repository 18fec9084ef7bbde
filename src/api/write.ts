import type { Answer, Call } from '../http/call.ts'
import type { Log } from '../http/log.ts'
import { toRequestId } from '../http/pipeline.ts'
import type { Command } from '../record/command.ts'
import type { Outcome, Store, StoredRecord } from '../store/store.ts'

/** Runs a command; a change is answered with the record, and said in the log. */
export async function execute(
  needs: { readonly store: Store; readonly log: Log },
  command: Command,
  toResponse: (stored: StoredRecord) => Response,
): Promise<Answer> {
  const outcome = await needs.store.execute(command)
  switch (outcome.is) {
    case 'stored':
      logWrite(needs.log, command, outcome)
      return toResponse(outcome.stored)
    case 'unchanged':
      return toResponse(outcome.stored)
    case 'refused':
      return outcome.refusal
    case 'failed':
      needs.log.warn('write failed', { kind: command.kind, by: command.author.name, failure: outcome.failure })
      return { code: outcome.failure === 'bug' ? 'internal' : outcome.failure }
  }
}

function logWrite(log: Log, command: Command, { stored, changed }: Extract<Outcome, { is: 'stored' }>): void {
  const fields = command.kind === 'create' ? undefined : changed
  const { id, version } = stored
  log.info('write', { kind: command.kind, id, version, by: command.author.name, fields, requestId: toRequestId() })
}

/** Whom a write is by; the route's role has made sure that there is somebody. */
export function toAuthor(call: Call): Command['author'] {
  const caller = call.caller()
  if (caller === null) throw new Error('a write without a caller')
  return { name: caller.name, role: caller.role }
}

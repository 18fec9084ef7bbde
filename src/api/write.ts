import type { Answer, Call } from '../http/call.ts'
import type { Log } from '../http/log.ts'
import type { Command } from '../record/command.ts'
import type { Failure, Outcome, Store, StoredRecord } from '../store/store.ts'

/** Runs a command; a change is answered with the record, and said in the log. */
export async function execute(
  needs: { readonly store: Store; readonly log: Log },
  call: Call,
  command: Command,
  toResponse: (stored: StoredRecord) => Response,
): Promise<Answer> {
  const outcome = await needs.store.execute(command)
  switch (outcome.is) {
    case 'stored':
      logWrite(needs.log, call, command, outcome)
      return toResponse(outcome.stored)
    case 'unchanged':
      return toResponse(outcome.stored)
    case 'refused':
      return outcome.refusal
    case 'failed':
      logFailure(needs.log, call, command, outcome.failure)
      return { code: outcome.failure === 'bug' ? 'internal' : outcome.failure }
  }
}

type Stored = Extract<Outcome, { is: 'stored' }>

function logWrite(log: Log, call: Call, command: Command, { stored, changed }: Stored): void {
  const { kind, author } = command
  const fields = kind === 'create' ? undefined : changed
  log.info('write', {
    kind,
    id: stored.id,
    version: stored.version,
    by: author.name,
    fields,
    requestId: call.requestId(),
  })
}

function logFailure(log: Log, call: Call, { kind, author }: Command, failure: Failure): void {
  log.warn('write failed', { kind, by: author.name, failure, requestId: call.requestId() })
}

/** Whom a write is by; the route's role has made sure that there is somebody. */
export function toAuthor(call: Call): Command['author'] {
  const caller = call.caller()
  if (caller === null) throw new Error('a write without a caller')
  return { name: caller.name, role: caller.role }
}

import { Refused } from '../http/problem.ts'
import type { Call, Caller, Form } from '../http/route.ts'
import type { Author } from '../record/command.ts'

/** The caller of a page that needs a role, which the pipeline has checked. */
export function requireCaller(call: Call): Caller {
  const caller = call.caller()
  if (caller === null) throw new Refused({ code: 'session_needed' })
  return caller
}

export function toAuthor({ name, role }: Caller): Author {
  return { name, role }
}

/** The form of a POST, which the pipeline has read. */
export function requireForm({ form }: Call): Form {
  if (form === null) throw new Refused({ code: 'bad_form' })
  return form
}

import { requireRead } from '../../api/problems.ts'
import { Refused } from '../../http/problem.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { QueryReply, QueryRequest } from '../port/messages.ts'
import type { PortPool } from '../port/query-pool.ts'
import { type CallReply, toForwardedCall } from './forwarded-call.ts'

/** Runs the handler of a call on a query thread. */
export type Forward = (call: Call) => Promise<TextAnswer>

/** Each call may take `limitMs` from when it was sent; it is withdrawn when its client disconnects. */
export function createForward(pool: PortPool<QueryRequest, QueryReply>, limitMs: number): Forward {
  return async (call) => {
    const reply = await pool.ask({ is: 'call', call: toForwardedCall(call) }, { limitMs, signal: call.signal })
    // A query thread replies to a call with this, or with a failure.
    const answer = requireRead(reply) as CallReply
    if (answer.is === 'refused') throw new Refused(answer.problem)
    const { status, headers, body } = answer
    return { status, headers: new Headers(JSON.parse(headers)), pieces: body === null ? [] : [body] }
  }
}

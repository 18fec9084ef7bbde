import type { Caller } from '../../http/auth/caller.ts'
import type { Representation } from '../../http/negotiate.ts'
import type { Problem } from '../../http/problem.ts'
import { type Call, type Head, type Params, QueryParameters, type TextAnswer } from '../../http/route.ts'

/** A call as plain data, sent from an HTTP thread to a query thread (decision 41). */
export interface ForwardedCall {
  /** The pattern of its route, by which the query thread finds the handler. */
  readonly path: string
  readonly method: string
  readonly url: string
  readonly params: Params
  readonly head: Head
  readonly representation: Representation
  /** Names and values of a form. */
  readonly form?: [string, string][] | null
  /** The data that the handler of a form left unrendered. */
  readonly shown?: unknown
  readonly caller: Caller | null
  readonly requestId: string
}

/** The result of its handler, sent back. */
export type CallReply =
  | {
      readonly is: 'answer'
      readonly status: number
      /** Pairs of name and value, as JSON: with primitive members alone the reply is sent without a clone. */
      readonly headers: string
      readonly body: string | null
      readonly isBinary: boolean
    }
  | { readonly is: 'refused'; readonly problem: Problem }

export function toForwardedCall(call: Call, shown?: unknown): ForwardedCall {
  const { method, url, params, head, representation } = call
  const { path } = call.route
  // `head` is copied into a plain object, since a message cannot carry a class instance.
  const data = { path, method, url, params, head: { ...head }, representation, shown }
  return { ...data, form: call.form && Array.from(call.form), caller: call.caller(), requestId: call.requestId() }
}

/** Never aborts: a withdrawn request is not begun, and a running one ends by its deadline. */
const { signal } = new AbortController()

/** Rebuilds the call for the handler. */
export function rebuildCall(forwarded: ForwardedCall, pathHeaders: Headers): Call {
  const { path, method, url, params, head, representation, caller, requestId } = forwarded
  const at = url.indexOf('?')
  const queryText = at < 0 ? '' : url.slice(at + 1)
  let parameters: QueryParameters | null = null
  return {
    ...{ method, url, params, head, representation, signal },
    form: forwarded.form == null ? null : new URLSearchParams(forwarded.form),
    route: { path, headers: pathHeaders },
    caller: () => caller,
    requestId: () => requestId,
    queryText: () => queryText,
    query() {
      parameters ??= new QueryParameters(queryText)
      return parameters
    },
  }
}

export function toCallReply({ status, headers, pieces, isBinary = false }: TextAnswer): CallReply {
  const named = Array.from(headers, ([name, value]): [string, string] => [toWrittenName(name), value])
  const body = pieces.length === 0 ? null : pieces.join('')
  return { is: 'answer', status, headers: JSON.stringify(named), body, isBinary }
}

/** Iterating over Headers gives lower-case names; `Allow` should look the same on every path. */
function toWrittenName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

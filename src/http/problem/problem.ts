import { toAsciiJson } from '../../record/json.ts'
import { contentTypes, toHeaders } from '../respond.ts'
import type { TextAnswer } from '../route.ts'
import { type Problem, toSentence, toStatus } from './problem-codes.ts'

const titles: { readonly [status: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** Thrown by a handler that refuses a request; the pipeline turns it into an answer. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.code)
    this.problem = problem
  }
}

/** A problem (RFC 9457) with the headers of the path. */
export function toProblemAnswer(problem: Problem, pathHeaders: Headers, requestId: string): TextAnswer {
  const status = toStatus(problem)
  const headers = toHeaders(pathHeaders, contentTypes.problem, 'never')
  if (status === 401) headers.set('WWW-Authenticate', 'Token')
  const retryAfter = problem.retryAfterSeconds ?? (status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  for (const [name, value] of Object.entries(problem.headers ?? {})) headers.set(name, value)
  const body = toAsciiJson({
    type: `urn:rostrum:problem:${problem.code}`,
    title: titles[status] ?? 'Error',
    status,
    detail: toSentence(problem),
    instance: `urn:rostrum:request:${requestId}`,
    ...(problem.errors === undefined ? {} : { errors: Object.fromEntries(problem.errors) }),
    ...problem.more,
  })
  return { status, headers, pieces: [body] }
}

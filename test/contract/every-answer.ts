import { expect } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { checkDescribed } from './described.ts'
import { checkRecord } from './every-record.ts'
import { type Call, type Fields, isFields, parseFields } from './service.ts'

export const itemAllow = 'GET, PUT, PATCH, HEAD, OPTIONS'
export const listAllow = 'GET, POST, HEAD, OPTIONS'
const itemPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

const recordPath = /^\/+api\/+v2\/+video\/+(?!duplicates[/?]?)[^/?]+\/*(\?.*)?$/
const listPath = /^\/+api\/+v2\/+video\/*(\?.*)?$/

/** What the contract promises of every answer, whatever was asked. */
export function checkEveryAnswer(call: Call, answer: RawAnswer): void {
  checkDescribed(call, answer)
  if (/^\/+api\//.test(call.path)) checkApiHeaders(answer)
  if (recordPath.test(call.path)) checkItemHeaders(answer)
  if (answer.status >= 400) checkProblem(call, answer)
  else if (call.method !== 'HEAD' && answer.status !== 304) checkRecords(call, answer)
}

export function checkApiHeaders(answer: RawAnswer): void {
  expect(headerOf(answer, 'X-Content-Type-Options')).toBe('nosniff')
  expect(headerOf(answer, 'Access-Control-Allow-Origin')).toBe('*')
  expect(headerOf(answer, 'Set-Cookie')).toBeNull()
}

export function checkItemHeaders(answer: RawAnswer): void {
  expect(headerOf(answer, 'Allow')).toBe(itemAllow)
  expect(headerOf(answer, 'Vary')).toBe('Accept')
  expect(headerOf(answer, 'Content-Security-Policy')).toBe(itemPolicy)
}

export function checkProblem(call: Pick<Call, 'method'>, answer: RawAnswer): void {
  expect(headerOf(answer, 'Content-Type')).toMatch(/^application\/problem\+json(;|$)/)
  expect(headerOf(answer, 'Cache-Control')).toBe('no-store')
  if (call.method === 'HEAD') return
  const problem = parseFields(answer)
  for (const name of ['type', 'title', 'detail', 'instance']) expect(problem[name]).toBeString()
  for (const name of ['title', 'detail', 'instance']) expect(problem[name]).not.toBe('')
  expect(problem.status).toBe(answer.status)
  if (problem.errors !== undefined) checkErrors(problem.errors)
}

function checkErrors(errors: unknown): void {
  expect(isFields(errors)).toBe(true)
  for (const messages of Object.values(isFields(errors) ? errors : {})) {
    expect(messages).toBeArray()
    for (const message of Array.isArray(messages) ? messages : []) expect(message).toBeString()
  }
}

function checkRecords(call: Call, answer: RawAnswer): void {
  const isItem = recordPath.test(call.path) && ['GET', 'PUT', 'PATCH'].includes(call.method)
  if (isItem || (listPath.test(call.path) && call.method === 'POST')) checkRecord(parseFields(answer), answer.body)
  if (listPath.test(call.path) && call.method === 'GET') {
    // The envelope's addresses may hold a bare ampersand; the records in it may not.
    const results = answer.body.slice(answer.body.indexOf('"results"'))
    // With `highlight=1` the record is a member of its result.
    for (const result of resultsOf(answer)) checkRecord(isFields(result.record) ? result.record : result, results)
  }
}

export function resultsOf(answer: RawAnswer): readonly Fields[] {
  const { results } = parseFields(answer)
  return Array.isArray(results) ? results.filter(isFields) : []
}

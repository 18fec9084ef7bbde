import { corsHeaders } from '../http/respond.ts'
import type { PathKind } from '../http/route-table.ts'
import { describePath, describeRecord, describeStream } from './describe.ts'

const noSniff = { 'X-Content-Type-Options': 'nosniff' }
const apiHeaders = { Vary: 'Accept, Authorization', ...noSniff, ...corsHeaders }

/** Old clients get the JSON of a record as text/html, so the policy forbids a browser to run or load anything. */
export const recordPath: PathKind = {
  headers: {
    Vary: 'Accept',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    ...noSniff,
    ...corsHeaders,
  },
  negotiates: true,
  identifies: 'token',
  describe: describeRecord,
}

export const apiPath: PathKind = {
  headers: apiHeaders,
  negotiates: true,
  identifies: 'token',
  describe: describePath,
}

/** Chapters and transcripts have texts beside JSON, which their handlers choose. */
export const textPath: PathKind = { ...apiPath, negotiates: false }

export const changesPath: PathKind = { ...apiPath, streamPath: '/api/v2/changes/stream' }

/** Clients send `Accept: text/event-stream` here, so there is no negotiation. */
export const streamPath: PathKind = { ...apiPath, negotiates: false, describe: describeStream }

/** Paths of the original service. */
export const legacyPath: PathKind = { ...apiPath, negotiates: false, describe: null }

export const systemPath: PathKind = {
  headers: noSniff,
  caching: 'never',
  negotiates: false,
  identifies: 'token',
  describe: null,
}

/** Clients that prefer JSON are led elsewhere. */
export const apiRootPath: PathKind = { ...systemPath, headers: { ...noSniff, Vary: 'Accept' }, negotiates: 'lenient' }

/** The page loads only our own files, has no inline script or style, and cannot be framed. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const docsPath: PathKind = {
  headers: {
    'Content-Security-Policy': docsPolicy,
    ...noSniff,
    'Access-Control-Allow-Origin': '*',
    'Referrer-Policy': 'no-referrer',
  },
  negotiates: false,
  identifies: 'token',
  describe: ({ route }) => ({ status: 200, headers: route.headers, pieces: [] }),
}

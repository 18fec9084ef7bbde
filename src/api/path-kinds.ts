import { corsHeaders } from '../http/cors.ts'
import type { RouteName } from '../http/metrics.ts'
import type { Caching } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'
import { describeItem, describePath, describeStream } from './describe.ts'

/** What paths of one kind have in common. */
export interface PathKind {
  /** The label in the metrics. */
  readonly name: RouteName
  /** On every response, besides Allow. */
  readonly headers: { readonly [name: string]: string }
  /** Who may keep responses that do not say so themselves. */
  readonly caching?: Caching
  /** Whether `Accept` and `format` choose a representation. */
  readonly negotiates: boolean
  /** Answers OPTIONS; null where that is not allowed. */
  readonly describe: ((call: Call) => TextAnswer) | null
}

const noSniff = { 'X-Content-Type-Options': 'nosniff' }
const apiHeaders = { Vary: 'Accept, Authorization', ...noSniff, ...corsHeaders }

/** The record is JSON with the type of HTML for old clients, so a browser is told to run and load nothing. */
export const itemPath: PathKind = {
  name: 'item',
  headers: {
    Vary: 'Accept',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    ...noSniff,
    ...corsHeaders,
  },
  negotiates: true,
  describe: describeItem,
}

export const apiPath: PathKind = { name: 'other', headers: apiHeaders, negotiates: true, describe: describePath }

export const listPath: PathKind = { ...apiPath, name: 'list' }

/** Accept names the type of event streams here, which no other path has. */
export const streamPath: PathKind = { ...apiPath, negotiates: false, describe: describeStream }

/** Paths of the service before this one. */
export const legacyPath: PathKind = { ...apiPath, negotiates: false, describe: null }

export const systemPath: PathKind = {
  name: 'system',
  headers: noSniff,
  caching: 'never',
  negotiates: false,
  describe: null,
}

/** Pages for people that are not part of the API. */
export const pagePath: PathKind = { ...systemPath, name: 'other' }

/** A page that loads our own files only, without inline script or style, and in no frame. */
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
  name: 'other',
  headers: {
    'Content-Security-Policy': docsPolicy,
    ...noSniff,
    'Access-Control-Allow-Origin': '*',
    'Referrer-Policy': 'no-referrer',
  },
  negotiates: false,
  describe: ({ route }) => ({ status: 200, headers: route.headers, pieces: [] }),
}

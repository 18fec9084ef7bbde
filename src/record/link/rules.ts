import { findAddress } from '../companion/companion.ts'
import { parseJsonText } from '../json.ts'
import type { PlayerKind } from '../player/frame-url.ts'
import { findHostedVideo, type HostedVideo } from '../player/hosted-video.ts'
import { type LinkAnswer, notChecked } from './link.ts'

/** The reply of a host to one request, after redirects. */
export type LinkReply =
  | {
      readonly is: 'reply'
      readonly method: 'HEAD' | 'GET'
      readonly status: number
      /** The media type in lower case, without parameters. */
      readonly type: string
      readonly body: string
      /** Whether `body` is only the beginning. */
      readonly isCut: boolean
      /** Where the redirects led. */
      readonly url: string
      /** Where the permanent redirects led that came first; null if there were none. */
      readonly permanent: string | null
    }
  /** The guard blocked the request. */
  | { readonly is: 'refused' }
  /** `unreached`: this machine has no network or no name server, which says nothing about the host. */
  | { readonly is: 'unresolved' | 'timeout' | 'unreadable' | 'unreached'; readonly why: string }

/** How to check an address. */
export interface LinkQuestion {
  /** The API URL for it at its host; null if the address itself is requested. */
  readonly api: string | null
  read(reply: LinkReply): LinkAnswer
}

type Verdict = LinkAnswer['verdict']
type Reply = Extract<LinkReply, { is: 'reply' }>

interface HostRule {
  toApi(video: HostedVideo, id: string): string
  /** `json` is absent if the body is not JSON. */
  read(reply: Reply, json: unknown): Verdict
}

const toOembed = (endpoint: string, page: string) => `${endpoint}${encodeURIComponent(page)}`

/** What an oEmbed service says about a video that it does not describe. */
const oembedVerdicts: { readonly [status: number]: Verdict } = {
  400: 'gone',
  401: 'not_embeddable',
  403: 'private',
  404: 'gone',
}

const peerTubeVerdicts: { readonly [status: number]: Verdict } = { 401: 'private', 403: 'private', 404: 'gone' }

/** Hosts with an API of their own. To add one, add its addresses to `findHostedVideo` and a line here. */
const hostRules: { readonly [K in PlayerKind]?: HostRule } = {
  youtube: {
    toApi: (_, id) =>
      toOembed('https://www.youtube.com/oembed?format=json&url=', `https://www.youtube.com/watch?v=${id}`),
    read: readOembed,
  },
  vimeo: { toApi: ({ page }) => toOembed('https://vimeo.com/api/oembed.json?url=', page), read: readOembed },
  archive: { toApi: (_, id) => `https://archive.org/metadata/${id}`, read: readArchive },
  peertube: { toApi: ({ host }, id) => `https://${host}/api/v1/videos/${id}`, read: readPeerTube },
}

export interface AskedLink {
  readonly url: string
  /** Whether a web page in its place means that it is gone. */
  readonly expectsMedia: boolean
}

/** Chooses the rule of a host. */
export function toQuestion({ url, expectsMedia }: AskedLink, playerHosts: readonly string[]): LinkQuestion {
  const video = findHostedVideo(url, playerHosts)
  const rule = video === null ? undefined : hostRules[video.kind]
  if (video === null || rule === undefined)
    return { api: null, read: (reply) => readReply(reply, true, (given) => readPage(given, url, expectsMedia)) }
  const id = new URL(video.frame).pathname.split('/').at(-1) ?? ''
  return {
    api: rule.toApi(video, id),
    read: (reply) => readReply(reply, false, (given) => rule.read(given, parseBody(given))),
  }
}

/** Whether a GET may tell more, since many servers answer HEAD wrongly; not if the host has asked for a pause. */
export function needsGet(reply: LinkReply): boolean {
  if (reply.is === 'reply') return reply.status >= 400 && ![429, 503].includes(reply.status)
  return reply.is === 'timeout' || reply.is === 'unreadable'
}

const maxEvidence = 200

function readReply(reply: LinkReply, countsUnclear: boolean, read: (reply: Reply) => Verdict): LinkAnswer {
  const none = { status: null, target: null }
  if (reply.is === 'refused') return { ...none, verdict: 'refused', countsUnclear: false, evidence: notChecked }
  if (reply.is !== 'reply') {
    // A name that does not resolve is a failure for every host.
    const counts = reply.is === 'unresolved' || (countsUnclear && reply.is !== 'unreached')
    return { ...none, verdict: 'unclear', countsUnclear: counts, evidence: toEvidence(reply.why) }
  }
  const verdict = read(reply)
  return {
    verdict,
    countsUnclear: countsUnclear && !isDenied(reply.status),
    status: reply.status,
    evidence: toEvidence(toRawText(reply, verdict)),
    target: verdict === 'moved' ? findAddress(reply.permanent) : null,
  }
}

/** Statuses with which hosts refuse programs while browsers get the page. */
const isDenied = (status: number) => status >= 400 && status < 500 && status !== 429

/** The raw answer, so that a wrong mapping can be found and corrected. */
function toRawText({ method, status, type, url, body }: Reply, verdict: Verdict): string {
  const from = type === '' ? '' : ` ${type}`
  const text = verdict === 'ok' || verdict === 'moved' ? '' : ` ${body}`
  return `${method} ${status}${from} ${url}${text}`
}

const toEvidence = (text: string) =>
  [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]{1,1000}/gu, ' ')].slice(0, maxEvidence).join('').trim()

function readOembed({ status, isCut }: Reply, json: unknown): Verdict {
  if (status !== 200) return oembedVerdicts[status] ?? 'unclear'
  if (isCut) return 'unclear'
  return isObject(json) ? 'ok' : 'private'
}

/** Lists of many files are cut, and an item that is gone has none. */
function readArchive({ status, isCut, body }: Reply, json: unknown): Verdict {
  if (status !== 200) return 'unclear'
  if (isCut) return body.startsWith('{') ? 'ok' : 'unclear'
  if (!isObject(json)) return 'unclear'
  return Object.keys(json).length === 0 || ('is_dark' in json && json.is_dark === true) ? 'gone' : 'ok'
}

function readPeerTube({ status, isCut, body }: Reply, json: unknown): Verdict {
  if (status !== 200) return peerTubeVerdicts[status] ?? 'unclear'
  return isObject(json) || (isCut && body.startsWith('{')) ? 'ok' : 'unclear'
}

function readPage({ status, type, url, permanent }: Reply, asked: string, expectsMedia: boolean): Verdict {
  if (status === 404 || status === 410) return 'gone'
  if (status < 200 || status > 299) return 'unclear'
  if (expectsMedia && type === 'text/html') return 'gone'
  if (isSentToRoot(asked, url)) return 'gone'
  return permanent === null ? 'ok' : 'moved'
}

/** Hosts often redirect from a removed page to their home page. */
function isSentToRoot(asked: string, url: string): boolean {
  const [from, to] = [new URL(asked), new URL(url)]
  return isRoot(to) && !isRoot(from) && toSite(from) === toSite(to)
}

const isRoot = ({ pathname, search }: URL) => pathname === '/' && search === ''
const toSite = ({ hostname }: URL) => hostname.replace(/^www\./, '')

const isObject = (json: unknown): json is object => typeof json === 'object' && json !== null && !Array.isArray(json)

function parseBody({ body, isCut }: Reply): unknown {
  return isCut ? undefined : parseJsonText(body)
}

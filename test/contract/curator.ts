import { expect } from 'bun:test'
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { type HeaderList, headerOf, type RawAnswer } from '../harness/raw.ts'
import { fail, type Service } from './service.ts'

export type FieldList = readonly (readonly [name: string, value: string])[]

/** Fields and files of a form that is sent. */
export type SentFields = readonly (readonly [name: string, value: string | File])[]

export interface PostOptions {
  readonly headers?: HeaderList
  /** Null for a form without a token; by default that of the session. */
  readonly token?: string | null
  /** Null for a request without Origin; by default our own. */
  readonly origin?: string | null
}

interface PageForm {
  readonly action: string
  readonly fields: FieldList
}

/** A browser without a screen: keeps cookies and sends forms of pages for curators. */
export interface Curator {
  /** What it sends as Cookie, by name. */
  readonly cookies: Map<string, string>
  get(path: string, headers?: HeaderList): Promise<RawAnswer>
  post(path: string, fields: SentFields, options?: PostOptions): Promise<RawAnswer>
  /** Signs in, and expects that it works. */
  signIn(key: string): Promise<void>
  /** The token of forms of its session. */
  readToken(): Promise<string>
  /** Whether it gets a page that needs a session: one answer for each of several connections. */
  isIn(): Promise<boolean>
}

export function createCurator(service: Service, prefix = ''): Curator {
  const cookies = new Map<string, string>()
  const ownOrigin = () => `http://127.0.0.1:${service.server().port}`

  async function call(method: string, path: string, headers: HeaderList, body?: Uint8Array): Promise<RawAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = { Accept: 'text/html', ...(cookie === '' ? {} : { Cookie: cookie }), ...headers }
    const answer = await service.call({ method, path, headers: all, ...(body === undefined ? {} : { body }) })
    for (const line of answer.headers.get('set-cookie') ?? []) keep(line)
    return answer
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/; *max-age=0(?:;|$)/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }

  async function post(path: string, fields: SentFields, options: PostOptions = {}): Promise<RawAnswer> {
    const token = options.token === undefined ? await curator.readToken() : options.token
    const origin = options.origin === undefined ? ownOrigin() : options.origin
    const { body, type } = await encode([...fields, ...(token === null ? [] : ([['csrf', token]] as const))])
    const headers = { 'Content-Type': type, ...(origin === null ? {} : { Origin: origin }), ...options.headers }
    return call('POST', path, headers, body)
  }

  const curator: Curator = {
    cookies,
    get: (path, headers = {}) => call('GET', path, headers),
    post,
    async signIn(key) {
      const answer = await post('/edit/sign-in', [['key', key]], { token: null })
      expect([answer.status, headerOf(answer, 'Location')]).toEqual([303, `${prefix}/edit`])
    },
    async readToken() {
      const form = listForms((await call('GET', '/edit/sessions', {})).body).find(({ fields }) => fields.length > 0)
      return form?.fields.find(([name]) => name === 'csrf')?.[1] ?? ''
    },
    async isIn() {
      const answers = await Promise.all(Array.from({ length: 6 }, () => call('GET', '/edit', {})))
      const statuses = new Set(answers.map(({ status }) => status))
      if (statuses.size !== 1) fail(`Threads disagree: ${[...statuses]}`)
      return statuses.has(200)
    },
  }
  return curator
}

/** As a browser sends a form. */
export async function encode(fields: SentFields): Promise<{ readonly body: Uint8Array; readonly type: string }> {
  const form = new FormData()
  for (const [name, value] of fields)
    form.append(name, typeof value === 'string' ? value.replace(/\r\n?|\n/g, '\r\n') : value)
  const response = new Response(form)
  // Before the body is read: Bun forgets it then.
  const type = response.headers.get('Content-Type') ?? ''
  return { body: await response.bytes(), type }
}

/** The forms of a page that are sent by POST, each with its hidden fields as a browser would send them. */
export function listForms(html: string): readonly PageForm[] {
  return listElements(parse(html), 'form')
    .filter((form) => attributeOf(form, 'method') === 'post')
    .map((form) => ({
      action: attributeOf(form, 'action') ?? '',
      fields: listElements(form, 'input')
        .filter((input) => attributeOf(input, 'type') === 'hidden')
        .map((input) => [attributeOf(input, 'name') ?? '', attributeOf(input, 'value') ?? ''] as const),
    }))
}

function listElements(node: Tree.Node, name: string): readonly Tree.Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap((child) => listElements(child, name)) : []
  return 'tagName' in node && node.tagName === name ? [node, ...children] : children
}

function attributeOf(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value
}

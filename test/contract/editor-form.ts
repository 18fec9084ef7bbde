import { beforeAll } from 'bun:test'
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { toControlName } from '../../src/edit/form/form-values.ts'
import { type Edits, submitForm } from '../edit/submit-form.ts'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { type Curator, createCurator, type FieldList } from './curator.ts'
import { type Fields, fail, parseFields, type Service } from './service.ts'

/** What a person types, by the names of fields; names with a dot or `reason` are those of other controls. */
type TypedFields = { readonly [name: string]: string | boolean }

/** The form of the editor, or of its conflict page, as a page has it. */
export interface EditorForm {
  readonly action: string
  readonly html: string
  /** What a browser sends if somebody types this and presses a button. */
  toFields(typed?: TypedFields, button?: string): FieldList
}

/** Opens the editor as somebody who is signed in. */
export async function openForm(curator: Curator, path: string): Promise<EditorForm> {
  const answer = await curator.get(path)
  if (answer.status !== 200) fail(`GET ${path} answered ${answer.status}: ${answer.body}`)
  return readForm(answer)
}

export function readForm({ body }: Pick<RawAnswer, 'body'>): EditorForm {
  const form = findForm(parse(body, { sourceCodeLocationInfo: true })) ?? fail(`No form in ${body}`)
  // As it was sent: a parser drops the first line break of a text area each time.
  const html = body.slice(form.sourceCodeLocation?.startOffset, form.sourceCodeLocation?.endOffset)
  return {
    action: form.attrs.find(({ name }) => name === 'action')?.value ?? '',
    html,
    toFields(typed = {}, button = 'save') {
      const edits: Edits = new Map(Object.entries(typed).map(([name, value]) => [toName(name), value]))
      const sent: [string, string][] = []
      submitForm(html, edits).forEach((value, name) => void sent.push([name, String(value)]))
      return [...sent, ['do', button]]
    },
  }
}

const toName = (name: string) => (name.includes('.') || name === 'reason' ? name : toControlName(name))

/** Sends a form; its token is in it. */
export function sendForm(curator: Curator, form: EditorForm, typed: TypedFields = {}, button = 'save') {
  return curator.post(form.action, form.toFields(typed, button), { token: null })
}

/** The page that a form leads to. */
export async function follow(curator: Curator, answer: RawAnswer): Promise<RawAnswer> {
  if (answer.status !== 303) fail(`${answer.status} is no redirect: ${answer.body}`)
  return curator.get(headerOf(answer, 'Location') ?? fail('A redirect to nowhere'))
}

function findForm(node: Tree.Node): Tree.Element | null {
  if ('tagName' in node && node.tagName === 'form' && node.attrs.some(({ name }) => name === 'data-kept-as'))
    return node
  if (!('childNodes' in node)) return null
  for (const child of node.childNodes) {
    const found = findForm(child)
    if (found !== null) return found
  }
  return null
}

/** The text of a page, without markup. */
export function toText(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}

export const toEditor = (id: unknown) => `/edit/video/${id}`

interface Version {
  readonly version: number
  readonly by: string
  readonly reason: string | null
  readonly changed: readonly string[]
}

/** People who edit talks: Ann is a publisher, Bob an admin and Eve an editor. */
export function useEditor(service: Service) {
  const [ann, bob, eve] = [createCurator(service), createCurator(service), createCurator(service)]
  beforeAll(async () => {
    await ann.signIn(service.keyOf('publisher'))
    await bob.signIn(service.keyOf('admin'))
    await eve.signIn(service.keyOf('editor'))
  })
  return {
    ...{ ann, bob, eve },
    draft: (fields: Fields = {}) => service.create({ state: 2, ...fields }),
    read: async (id: unknown) => parseFields(await service.read(id)),
    /** Newest first. */
    async listVersions(id: unknown): Promise<readonly Version[]> {
      const answer = await service.call({ method: 'GET', path: `/api/v2/video/${id}/history`, as: 'admin' })
      return JSON.parse(answer.body).results
    },
  }
}

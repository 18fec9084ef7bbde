import { expect } from 'bun:test'
import { headerOf, type RawAnswer } from '../harness/raw.ts'
import type { TokenRole } from '../harness/server.ts'
import { type Curator, createCurator, type FieldList, listForms } from './curator.ts'
import { fail, type Service } from './service.ts'

export const bulkPath = '/edit/bulk'

/** The counts of a preview. */
interface Counts {
  readonly willChange: number
  readonly alreadySo: number
  readonly refused: number
}

/** Talks as a work list sends those that are ticked: up to 100 on its page, and those of other pages in one field. */
export function toTicked(ids: readonly unknown[]): FieldList {
  const others = ids.slice(100)
  const shown = ids.slice(0, 100).map((id) => ['id', String(id)] as const)
  return others.length === 0 ? shown : [...shown, ['id', others.join(',')]]
}

/** The bulk pages of one service, as a curator of a role uses them. */
export async function openBulkPages(service: Service, role: TokenRole) {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  const token = await curator.readToken()
  const post = (fields: FieldList) => curator.post(bulkPath, fields, { token })
  return {
    curator,
    post,
    get: (query: string) => curator.get(`${bulkPath}?${query}`),
    preview: (chosen: FieldList, filled: FieldList) => post([...chosen, ...filled, ['do', 'preview']]),
    /** Presses a button of a preview or of the form. */
    press: (page: RawAnswer, button: string, more: FieldList = []) => press(curator, page, button, more),
  }
}

function press(curator: Curator, page: RawAnswer, button: string, more: FieldList): Promise<RawAnswer> {
  if (!page.body.includes(` value="${button}"`)) fail(`No button ${button} in ${page.body}`)
  return curator.post(bulkPath, [...listHidden(page), ...more, ['do', button]], { token: null })
}

/** What the form of a bulk page sends whatever is typed, its token included. */
export function listHidden({ body }: RawAnswer): FieldList {
  return listForms(body).find(({ action }) => action.endsWith(bulkPath))?.fields ?? fail(`No form in ${body}`)
}

export function readCounts({ body }: RawAnswer): Counts {
  const read = (name: string) => {
    const [, count] = new RegExp(`class="is-${name}"><dt>[^<]*</dt><dd>([0-9,]+)</dd>`).exec(body) ?? []
    return Number((count ?? fail(`No count ${name} in ${body}`)).replaceAll(',', ''))
  }
  return { willChange: read('willChange'), alreadySo: read('alreadySo'), refused: read('refused') }
}

/** The number of the batch that a form has led to. */
export function requireBatch(answer: RawAnswer): number {
  if (answer.status !== 303) fail(`${answer.status}: ${answer.body}`)
  const [, id] = /^\/edit\/batches\/(\d+)\?done=1(?:&list=|$)/.exec(headerOf(answer, 'Location') ?? '') ?? []
  expect(headerOf(answer, 'Cache-Control')).toBe('private, no-store')
  return Number(id ?? fail(`Led to ${headerOf(answer, 'Location')}`))
}

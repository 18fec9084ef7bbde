import { parse } from 'parse5'
import type { RawAnswer } from '../harness/raw.ts'
import type { TokenRole } from '../harness/server.ts'
import { createCurator, type FieldList, listForms, type SentFields } from './curator.ts'
import { fail, type Service } from './service.ts'

export const tablePath = '/edit/table'

/** The pages that take a table, as a curator of a role uses them. */
export const openTable = (service: Service, role: TokenRole = 'publisher') => openTableAs(service, service.keyOf(role))

export async function openTableAs(service: Service, key: string) {
  const curator = createCurator(service)
  await curator.signIn(key)
  const token = await curator.readToken()
  const post = (fields: SentFields) => curator.post(tablePath, fields, { token })
  /** Sends the form of a page, also with what none of its buttons does. */
  const force = (page: RawAnswer, action: string, more: FieldList = []) =>
    curator.post(tablePath, [...listHidden(page), ...more, ['do', action]], { token: null })
  return {
    curator,
    force,
    paste: (text: string, more: FieldList = []) => post([['text', text], ...more, ['do', 'read']]),
    upload: (bytes: string | Uint8Array, more: FieldList = []) =>
      post([['text', ''], ['file', new File([bytes], 'talks.csv')], ...more, ['do', 'read']]),
    /** Presses a button of a page, as a browser without scripts would. */
    press: (page: RawAnswer, button: string, more: FieldList = []) =>
      page.body.includes(` value="${button}"`)
        ? force(page, button, more)
        : fail(`No button ${button} in ${page.body}`),
  }
}

const listHidden = ({ body }: RawAnswer) =>
  listForms(body).find(({ action }) => action.endsWith(tablePath))?.fields ?? fail(`No form in ${body}`)

/** The counts of a preview: new, changed, unchanged, refused. */
export function readTableCounts({ body }: RawAnswer): number[] {
  const [, list = ''] = /<dl class="bulk-counts">(.*?)<\/dl>/.exec(body) ?? fail(body)
  return Array.from(list.matchAll(/<dd>([0-9,]+)<\/dd>/g), ([, count = '']) => Number(count.replaceAll(',', '')))
}

export const textOf = ({ body }: RawAnswer) => listTexts(parse(body)).join(' ').replace(/\s+/g, ' ')

function listTexts(node: unknown): string[] {
  const { childNodes = [], value = '', nodeName } = Object(node)
  return nodeName === '#text' ? [value] : childNodes.flatMap(listTexts)
}

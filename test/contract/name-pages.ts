import { headerOf, type RawAnswer } from '../harness/raw.ts'
import { parsePage } from '../site/page-tree.ts'
import { type Curator, createCurator, type FieldList, listForms } from './curator.ts'
import { fail, type Service } from './service.ts'

/** What a page for curators says. */
export const textOf = ({ body }: RawAnswer): string => parsePage(body).one('main').text

export const locationOf = (answer: RawAnswer): string =>
  headerOf(answer, 'Location') ?? fail(`no Location: ${answer.status} ${textOf(answer)}`)

/** The values of all inputs with an attribute. */
export function valuesOf({ body }: RawAnswer, attribute: 'id' | 'name', value: string): (string | undefined)[] {
  return parsePage(body)
    .all('input')
    .filter((input) => input.attribute(attribute) === value)
    .map((input) => input.attribute('value'))
}

/** The hidden fields of the first form of a page that has such a field. */
export function hiddenOf({ body }: RawAnswer, name: string): FieldList {
  const form = listForms(body).find(({ fields }) => fields.some(([field]) => field === name)) ?? fail(`no ${name} here`)
  return form.fields.filter(([field]) => field !== 'csrf')
}

/** The values of fields by name, with some replaced. */
export function withFields(fields: FieldList, more: { readonly [name: string]: string }): FieldList {
  return [...fields.filter(([name]) => !Object.hasOwn(more, name)), ...Object.entries(more)]
}

export async function signInAs(service: Service, role: 'reader' | 'editor' | 'publisher' | 'admin'): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf(role))
  return curator
}

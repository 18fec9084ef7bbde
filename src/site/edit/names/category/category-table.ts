import { type CategoryName, categoryFields, categoryNames, toNewCategory } from '../../../../record/category.ts'
import type { FieldTable } from '../../form/field-hints.ts'
import { namesTexts } from '../names-texts.ts'

const texts = namesTexts.category

const helps: { readonly [F in CategoryName]: string } = {
  title: texts.title,
  description: texts.description,
  url: texts.url,
  start_date: texts.startDate,
  whiteboard: texts.whiteboard,
}

const blank = toNewCategory({ title: '' })

/** The fields of a category as forms, differences and conflicts take those of a record. */
export const categoryTable: FieldTable = Object.fromEntries(
  categoryNames.map((name) => [
    name,
    {
      access: 'write',
      kind: categoryFields[name],
      absent: name === 'title' ? { is: 'required' } : { is: 'value', value: blank[name] },
      help: helps[name],
    },
  ]),
)

/** Under which the browser keeps what is typed; null for a new category. */
export const toDraftKey = (slug: string | null) => (slug === null ? 'new-category' : `category-${slug}`)

import { categoryFields } from '../../record/category.ts'
import type { JsonObject } from '../../record/json/json-value.ts'
import { categoryTexts } from '../description.ts'
import { slugPattern, timePattern, toKindSchema } from './field-schema.ts'
import { ref, toListSchema, toObjectSchema } from './shape.ts'

const slug = { type: 'string', pattern: slugPattern, readOnly: true, description: 'For addresses; never changes.' }
const name = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 0, description: 'How many records have it.' }

const category: JsonObject = {
  title: toCategoryField('title'),
  slug,
  description: toCategoryField('description'),
  url: toCategoryField('url'),
  start_date: toCategoryField('start_date'),
  whiteboard: toCategoryField('whiteboard'),
  added: { type: 'string', pattern: timePattern, readOnly: true, description: 'When it was made, UTC.' },
  videos: {
    type: 'array',
    items: { type: 'string', format: 'uri' },
    readOnly: true,
    description: 'Addresses of its records, newest first; drafts for token holders only.',
  },
}

/** Shapes of what the records name. */
export const vocabularySchemas: JsonObject = {
  Category: toObjectSchema('A group or event that talks belong to.', category),
  CategoryChange: {
    type: 'object',
    description: 'Fields to be set. Read-only fields may be sent back and are ignored; unknown ones are errors.',
    additionalProperties: false,
    properties: category,
  },
  NewCategory: {
    type: 'object',
    description: 'Read-only fields may be sent and are ignored; unknown ones are errors.',
    additionalProperties: false,
    required: ['title'],
    properties: category,
  },
  CategoryList: toListSchema('A page of categories.', ref('Category')),
  Word: toObjectSchema('A speaker or a tag.', { id: { type: 'integer', minimum: 1 }, name, slug, count }),
  WordList: toListSchema('A page of speakers or tags.', ref('Word')),
  Language: toObjectSchema('A language of recorded talks.', { name, count }),
  LanguageList: toListSchema('A page of languages.', ref('Language')),
  SourcePage: toObjectSchema('Where a record’s page is.', { source_url: { type: 'string', format: 'uri' } }),
}

function toCategoryField(field: keyof typeof categoryFields): JsonObject {
  const kind = categoryFields[field]
  return { ...toKindSchema(kind, kind.nullable), description: categoryTexts[field] }
}

import { categoryFields } from '../../record/category.ts'
import type { JsonObject } from '../../record/json/json-value.ts'
import { categoryTexts } from '../describe.ts'
import { slugPattern, timePattern, toKindSchema } from './field-schema.ts'
import { ref, toListSchema, toObjectSchema } from './shape.ts'

const slug = { type: 'string', pattern: slugPattern, readOnly: true, description: 'Used in URLs; never changes.' }
const name = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 0, description: 'Number of records.' }

const category: JsonObject = {
  title: toCategoryField('title'),
  slug,
  description: toCategoryField('description'),
  url: toCategoryField('url'),
  start_date: toCategoryField('start_date'),
  whiteboard: toCategoryField('whiteboard'),
  added: { type: 'string', pattern: timePattern, readOnly: true, description: 'Time of creation, UTC.' },
  videos: {
    type: 'array',
    items: { type: 'string', format: 'uri' },
    readOnly: true,
    description: 'URLs of its records, newest first. Drafts are included if you send a token.',
  },
}

/** Schemas of categories, speakers, tags and languages. */
export const vocabularySchemas: JsonObject = {
  Category: toObjectSchema('An event or group of talks.', category),
  CategoryChange: {
    type: 'object',
    description: 'Fields to set. Read-only fields are accepted and ignored; unknown fields are errors.',
    additionalProperties: false,
    properties: category,
  },
  NewCategory: {
    type: 'object',
    description: 'Read-only fields are accepted and ignored; unknown fields are errors.',
    additionalProperties: false,
    required: ['title'],
    properties: category,
  },
  CategoryList: toListSchema('A page of categories.', ref('Category')),
  Name: toObjectSchema('A speaker or a tag.', { id: { type: 'integer', minimum: 1 }, name, slug, count }),
  NameList: toListSchema('A page of speakers or tags.', ref('Name')),
  Language: toObjectSchema('A language of talks.', { name, count }),
  LanguageList: toListSchema('A page of languages.', ref('Language')),
  SourcePage: toObjectSchema('URL of the page of a record.', { source_url: { type: 'string', format: 'uri' } }),
}

function toCategoryField(field: keyof typeof categoryFields): JsonObject {
  const kind = categoryFields[field]
  return { ...toKindSchema(kind, kind.nullable), description: categoryTexts[field] }
}

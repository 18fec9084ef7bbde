import { maxSelected } from '../../record/bulk.ts'
import type { JsonObject } from '../../record/json.ts'
import { linkStates } from '../../record/link/link.ts'
import { jsonType, listProblems, storeFull, toDescribeDocs, toPageDocs, writeUnavailable } from './answer-docs.ts'
import { createBatch } from './bulk-docs.ts'
import { ref, toListSchema, toObjectSchema } from './field-schema.ts'
import { dryRun, format, type Parameter, type RouteDocs, toPageParameters } from './operation-docs.ts'

const time = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description })
const count = { type: 'integer', minimum: 0 }
const counts = Object.fromEntries(linkStates.map((state) => [state, count]))
const reason = { type: 'string', maxLength: 500 }

const selected: JsonObject = {
  description: 'Which moved addresses to accept.',
  anyOf: [
    toObjectSchema('Addresses of records that match filters of the list, such as `link=moved` or `category=x`.', {
      query: { type: 'string', minLength: 1 },
    }),
    toObjectSchema('These.', { urls: { type: 'array', maxItems: maxSelected, items: { type: 'string' } } }),
  ],
}

/** Schemas of what is known of addresses. */
export const linkSchemas: JsonObject = {
  Link: toObjectSchema('An address that records have, with its state.', {
    url: { type: 'string' },
    host: { type: 'string', description: 'In lower case, without the port.' },
    state: { enum: linkStates },
    since: time('When it got this state; null if it was never checked.'),
    failures: { ...count, description: 'Counted since the last success.' },
    status: { type: ['integer', 'null'], description: 'HTTP status of the last answer; null if there was none.' },
    last_ok: time('The last success.'),
    checked: time('The last check.'),
    evidence: { type: 'string', description: 'What the host answered.' },
    target: { type: ['string', 'null'], description: 'Where it has moved to.' },
    videos: { type: 'array', items: { type: 'integer', minimum: 1 }, description: 'Ids of its records, ascending.' },
  }),
  LinkList: toListSchema('A page of addresses, by host and address.', ref('Link')),
  LinkReportLine: toObjectSchema('How many addresses of a category are at a host, by state.', {
    category: { type: 'string', description: 'Title of the category.' },
    slug: { type: 'string' },
    host: { type: 'string' },
    ...counts,
  }),
  LinkReport: {
    ...toListSchema('A page of counts; those with the most problems first.', ref('LinkReportLine'), {
      totals: toObjectSchema('All addresses, each once.', counts),
    }),
    required: ['count', 'next', 'previous', 'results', 'totals'],
  },
  MovedLinks: {
    type: 'object',
    description: 'Moved addresses to replace with their targets.',
    required: ['select'],
    additionalProperties: false,
    properties: {
      select: selected,
      expect: { ...count, description: 'Number of records. Required, except in a dry run, which reports it.' },
      reason,
      as_of: { ...count, description: 'Of the dry run: a record whose addresses were changed later is refused.' },
      partial: { type: 'boolean', description: 'Change the other records if some cannot be changed.' },
    },
  },
  IgnoredLink: toObjectSchema('An address that is fine, whatever its host answers.', {
    url: { type: 'string' },
    until: {
      type: ['string', 'null'],
      description: 'A day or a time in UTC, at most a year ahead; null to check the address again.',
    },
  }),
}

const [category, host]: readonly Parameter[] = [
  { name: 'category', in: 'query', text: 'Slug or exact title of a category.', schema: { type: 'string' } },
  { name: 'host', in: 'query', text: 'Host of the address, in lower case.', schema: { type: 'string' } },
]
const state: Parameter = {
  ...{ name: 'state', in: 'query', schema: { type: 'string' } },
  text: `Comma-separated states: ${linkStates.map((each) => `\`${each}\``).join(', ')}.`,
}
const filters = [category, host].filter((each) => each !== undefined)

const listDocs: RouteDocs = {
  tag: 'Links',
  methods: {
    GET: toPageDocs({
      id: 'listLinks',
      summary: 'List addresses with their states',
      text: 'Every http(s) address of records and their companions: sources, recordings, files, thumbnails, related links.',
      parameters: [state, ...filters, ...toPageParameters()],
      answer: ['A page of addresses.', 'LinkList'],
      missing: 'page',
      problems: listProblems,
    }),
    OPTIONS: toDescribeDocs('Links'),
  },
}

const reportDocs: RouteDocs = {
  tag: 'Links',
  methods: {
    GET: toPageDocs({
      id: 'reportLinks',
      summary: 'Count addresses by event, host and state',
      text: 'One result per category and host, those with the most problems first.',
      parameters: [...filters, ...toPageParameters()],
      answer: ['A page of counts.', 'LinkReport'],
      missing: 'page',
      problems: listProblems,
    }),
    OPTIONS: toDescribeDocs('LinkReport'),
  },
}

const acceptDocs: RouteDocs = {
  tag: 'Links',
  methods: {
    POST: {
      ...createBatch,
      id: 'acceptMovedLinks',
      summary: 'Accept moved addresses',
      text:
        'Replaces moved addresses with their targets, in fields and companions, as one batch that can be undone. An ' +
        'address with https is never replaced with one without. Send it with `dry_run=1` first.',
      body: {
        [jsonType]: { schema: ref('MovedLinks'), example: { select: { query: 'category=pycon-us-2014' }, expect: 12 } },
      },
    },
    OPTIONS: toDescribeDocs('AcceptMovedLinks'),
  },
}

const ignoreDocs: RouteDocs = {
  tag: 'Links',
  methods: {
    POST: {
      id: 'ignoreLink',
      summary: 'Mark an address as fine',
      text: 'For an address that works although its host says otherwise. It is `ok` at once, and not checked until then.',
      parameters: [dryRun, format],
      body: {
        [jsonType]: {
          schema: ref('IgnoredLink'),
          example: { url: 'https://example.org/talk.mp4', until: '2027-01-31' },
        },
      },
      answers: {
        200: {
          text: 'The stored address; after a dry run, what would be stored.',
          content: { [jsonType]: ref('IgnoredLink') },
          headers: ['Cache-Control'],
        },
      },
      problems: {
        400: 'The body is not JSON, or a field is invalid.',
        404: 'No record has this address, or `format` is not `json`.',
        503: writeUnavailable,
        507: storeFull,
      },
    },
    OPTIONS: toDescribeDocs('IgnoreLink'),
  },
}

export const linkDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/links': listDocs,
  '/api/v2/links/report': reportDocs,
  '/api/v2/links/accept-moved': acceptDocs,
  '/api/v2/links/ignore': ignoreDocs,
}

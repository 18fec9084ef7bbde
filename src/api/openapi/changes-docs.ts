import { listProblems, toDescribeDocs, toListAnswers } from './answer-docs.ts'
import { format, ifNoneMatch, type OperationDocs, type Parameter, type RouteDocs } from './operation-docs.ts'

const since: Parameter = {
  name: 'since',
  in: 'query',
  text: 'Return changes after this one: a `seq` or an event id. 0 returns all of them.',
  schema: { type: ['integer', 'string'], minimum: 0, default: 0 },
}

const store: Parameter = {
  name: 'store',
  in: 'query',
  text: 'The store id from your last response. If the store has been replaced, its numbers mean other changes.',
  schema: { type: 'string' },
}

const pageSize: Parameter = {
  name: 'page_size',
  in: 'query',
  text: 'Maximum number of changes. Values above 1000 count as 1000.',
  schema: { type: 'integer', minimum: 1, default: 100 },
}

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  text: 'Id of the last event you received; the stream resumes after it. Browsers send it automatically.',
  schema: { type: 'string' },
}

const streamSince: Parameter = {
  ...since,
  text: 'For clients that cannot send `Last-Event-ID`. Without either, the stream starts with the next change.',
  schema: { type: ['integer', 'string'], minimum: 0 },
}

const by: Parameter = {
  name: 'by',
  in: 'query',
  text: 'Only changes by the token of exactly this name. Needs a token.',
  schema: { type: 'string', maxLength: 100 },
}

const byNeedsToken = 'The token is invalid, or missing while `by` is sent.'

const listChanges: OperationDocs = {
  id: 'listChanges',
  summary: 'List changes',
  text:
    'Every version of every record, in commit order. Without a token, only changes to records that are or were public; ' +
    'with one, also who made each change (`by`), why (`reason`) and which fields it changed (`fields`). To follow the feed, repeat the request with `since` set to `next` and the same `store`. A 409 means that the store ' +
    'was restored or replaced: start again at 0. Erasing a record removes its versions from the feed and adds one ' +
    'change of kind `withdrawn`.',
  parameters: [since, store, by, pageSize, format, ifNoneMatch],
  answers: toListAnswers('A page of changes.', 'ChangeList'),
  problems: {
    400: 'A parameter is invalid, or `since` is beyond the last change: `errors` names it.',
    401: byNeedsToken,
    409: 'The store was restored or replaced; `store` is its new id. Start again at `since=0`.',
    503: listProblems[503],
  },
}

const streamChanges: OperationDocs = {
  id: 'streamChanges',
  summary: 'Stream changes',
  text:
    'The change feed as Server-Sent Events; `data` is a change as in the list. The `id` of an event is `<store>.<seq>`. If the store is replaced, or ' +
    '`Last-Event-ID` belongs to another store, the stream sends one event `reset` with the new id in `store`, then new ' +
    'changes only.',
  parameters: [lastEventId, streamSince, store, by],
  answers: {
    200: {
      text: 'An endless stream of events.',
      content: { 'text/event-stream': { type: 'string' } },
      headers: ['Cache-Control'],
    },
  },
  problems: {
    400: '`since` or `Last-Event-ID` is neither a number nor an event id, or is beyond the last change.',
    401: byNeedsToken,
    503: 'Too many streams are open, or the store is busy or unavailable.',
  },
}

export const changesDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/changes': { tag: 'History', methods: { GET: listChanges, OPTIONS: toDescribeDocs('Changes') } },
  '/api/v2/changes/stream': { tag: 'History', methods: { GET: streamChanges, OPTIONS: toDescribeDocs('Stream') } },
}

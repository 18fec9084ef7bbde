import { toDescribeDocs, toListAnswers } from './answer-docs.ts'
import type { OperationDocs, Parameter, RouteDocs } from './operation-docs.ts'
import { format, ifNoneMatch } from './parameter-docs.ts'

const since: Parameter = {
  name: 'since',
  in: 'query',
  text: 'The changes after this one, by its `seq` or by the id of its event; 0 for all of them.',
  schema: { type: ['integer', 'string'], minimum: 0, default: 0 },
}

const store: Parameter = {
  name: 'store',
  in: 'query',
  text: 'The id of the store that you know, as its answers carry it. Another one has other changes by the same numbers.',
  schema: { type: 'string' },
}

const pageSize: Parameter = {
  name: 'page_size',
  in: 'query',
  text: 'How many at most; more than 1000 counts as 1000.',
  schema: { type: 'integer', minimum: 1, default: 100 },
}

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  text: 'The last event that you have: the stream goes on behind it. Browsers send it by themselves.',
  schema: { type: 'string' },
}

const streamSince: Parameter = {
  ...since,
  text: 'The same for those who cannot send the header. Without either, what comes from now on.',
  schema: { type: ['integer', 'string'], minimum: 0 },
}

const listChanges: OperationDocs = {
  id: 'listChanges',
  summary: 'What has changed since',
  text:
    'Every version of every record in one order, from any point. Without a token: what became, was or ceased to be ' +
    'public. Ask again with `since` = `next` and the same `store`: its id changes when the store is restored or replaced, and ' +
    'then you have to begin again. A record that was erased for good takes its versions along; that it is ' +
    'gone is told as `withdrawn`.',
  parameters: [since, store, pageSize, format, ifNoneMatch],
  answers: toListAnswers('The changes.', 'ChangeList'),
  problems: {
    400: 'A parameter has a wrong value, or `since` is beyond the last change: `errors` names it.',
    409: 'You know another store: `store` is the id of this one. Begin again at 0.',
    503: 'It took longer than it may, too many lists are asked for, or the store is down: `detail` says which.',
  },
}

const streamChanges: OperationDocs = {
  id: 'streamChanges',
  summary: 'Changes as they happen',
  text:
    'The same as Server-Sent Events. The `id` of an event is `<store>.<seq>`. Who comes back with the id of another store, or ' +
    'listens while the store is replaced, gets one event `reset` with the new id in `store`, and then what comes from now on.',
  parameters: [lastEventId, streamSince, store],
  answers: {
    200: {
      text: 'Events, for as long as you listen.',
      content: { 'text/event-stream': { type: 'string' } },
      headers: ['Cache-Control'],
    },
  },
  problems: {
    400: '`since` or `Last-Event-ID` is neither a number nor the id of an event, or beyond the last change.',
    503: 'There are too many streams, or the store is busy or down.',
  },
}

export const changesDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/changes': { tag: 'History', methods: { GET: listChanges, OPTIONS: toDescribeDocs('Changes') } },
  '/api/v2/changes/stream': { tag: 'History', methods: { GET: streamChanges, OPTIONS: toDescribeDocs('Stream') } },
}

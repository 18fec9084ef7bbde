import { jsonType, notModified, toDescribeDocs, toReadAnswer } from './answer-docs.ts'
import type { OperationDocs, RouteDocs } from './operation-docs.ts'
import { ref } from './shape.ts'

const root: OperationDocs = {
  id: 'getRoot',
  summary: 'Where things are',
  answers: { 200: { text: 'Addresses by name.', content: { [jsonType]: ref('Root') } } },
}

export const systemDocs: { readonly [path: string]: RouteDocs | null } = {
  '/api/v2': { tag: 'Description', methods: { GET: root, OPTIONS: { ...root, id: 'describeRoot' } } },
  '/api/v2/openapi.json': {
    tag: 'Description',
    methods: {
      GET: {
        id: 'getDescription',
        summary: 'This description',
        text: 'OpenAPI 3.1, made from the tables that the service itself works by.',
        answers: { 200: toReadAnswer('The description.', 'OpenApi'), 304: notModified },
      },
      OPTIONS: { ...toDescribeDocs('Description'), summary: 'What can be done with this description' },
    },
  },
  '/video/:id': null,
  '/api/docs': null,
  '/api/docs/:file': null,
  '/healthz': {
    tag: 'Operation',
    methods: {
      GET: {
        id: 'getHealth',
        summary: 'Whether the process lives',
        answers: { 200: { text: 'It does.', content: { [jsonType]: ref('Status') } } },
      },
    },
  },
  '/readyz': {
    tag: 'Operation',
    methods: {
      GET: {
        id: 'getReadiness',
        summary: 'Whether traffic may be sent here',
        answers: {
          200: { text: 'The store reads and takes writes.', content: { [jsonType]: ref('Status') } },
          503: { text: 'Not now; `status` says why.', content: { [jsonType]: ref('Status') } },
        },
      },
    },
  },
  '/metrics': {
    tag: 'Operation',
    methods: {
      GET: {
        id: 'getMetrics',
        summary: 'Numbers for Prometheus',
        answers: { 200: { text: 'Prometheus text.', content: { 'text/plain': { type: 'string' } } } },
      },
    },
  },
  '/': {
    tag: 'Operation',
    methods: {
      GET: { id: 'goToList', summary: 'The way in', answers: { 302: { text: 'To the list.', headers: ['Location'] } } },
    },
  },
}

import { jsonType, toCodedAnswers, toDescribeDocs } from './answer-docs.ts'
import { ref } from './field-schema.ts'
import type { OperationDocs, RouteDocs } from './operation-docs.ts'

const root: OperationDocs = {
  id: 'getRoot',
  summary: 'List the main resources',
  answers: { 200: { text: 'URLs by name.', content: { [jsonType]: ref('Root') } } },
}

export const systemDocs: { readonly [path: string]: RouteDocs | null } = {
  '/api/v2': { tag: 'Description', methods: { GET: root, OPTIONS: { ...root, id: 'describeRoot' } } },
  '/api/v2/openapi.json': {
    tag: 'Description',
    methods: {
      GET: {
        id: 'getDescription',
        summary: 'Get the OpenAPI document',
        text: 'OpenAPI 3.1, generated from the route and field tables of the service.',
        answers: toCodedAnswers('The OpenAPI document.', 'OpenApi'),
      },
      OPTIONS: { ...toDescribeDocs('Description'), summary: 'Describe this resource' },
    },
  },
  '/video/:id': null,
  '/video/:id/:slug': null,
  '/api': null,
  '/api/docs': null,
  '/api/docs/:file': null,
  '/healthz': {
    tag: 'Operations',
    methods: {
      GET: {
        id: 'getHealth',
        summary: 'Check that the process is alive',
        answers: { 200: { text: 'The process is alive.', content: { [jsonType]: ref('Status') } } },
      },
    },
  },
  '/readyz': {
    tag: 'Operations',
    methods: {
      GET: {
        id: 'getReadiness',
        summary: 'Check that the service is ready for traffic',
        answers: {
          200: { text: 'The store can be read and written.', content: { [jsonType]: ref('Status') } },
          503: { text: 'Not ready; `status` says why.', content: { [jsonType]: ref('Status') } },
        },
      },
    },
  },
  '/metrics': {
    tag: 'Operations',
    methods: {
      GET: {
        id: 'getMetrics',
        summary: 'Get metrics',
        answers: { 200: { text: 'Metrics in Prometheus text format.', content: { 'text/plain': { type: 'string' } } } },
      },
    },
  },
  '/': {
    tag: 'Operations',
    methods: {
      GET: {
        id: 'goToList',
        summary: 'Redirect to the list',
        answers: { 302: { text: 'Redirect to the list of records.', headers: ['Location'] } },
      },
    },
  },
}

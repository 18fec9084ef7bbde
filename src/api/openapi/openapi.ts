import type { Route } from '../../http/route.ts'
import type { JsonObject } from '../../record/json.ts'
import type { Role } from '../../record/role.ts'
import { toAnswers } from './answer-docs.ts'
import { categoryDocs, vocabularyDocs } from './category-docs.ts'
import { changesDocs } from './changes-docs.ts'
import { companionDocs } from './companion-docs.ts'
import { historyDocs } from './history-docs.ts'
import { linkDocs } from './link-docs.ts'
import { profileDocs, variantDocs } from './name-docs.ts'
import { type OperationDocs, type Parameter, type RouteDocs, tags } from './operation-docs.ts'
import { qualityDocs } from './quality-docs.ts'
import { videoDocs } from './record-docs.ts'
import { toSchemas } from './schemas.ts'
import { systemDocs } from './system-docs.ts'

/** The OpenAPI 3.1 document: schemas from the field table, paths and roles from the route table, texts from the docs. */
export function toOpenApi(routes: readonly Route[], version: string, baseUrl: string): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rostrum',
      version,
      summary: 'A catalogue of recorded talks.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(routes.flatMap(toPath).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: { schemas: toSchemas(), securitySchemes },
  }
}

const introduction = `Live records are public. Drafts and writes need a token: send \`Authorization: Token <key>\` or
\`Bearer <key>\`. The roles are reader, editor, publisher and admin; each includes the rights of the ones before it. An
invalid token is always refused with 401, even where no token is needed.

A trailing slash in a path is ignored. Errors are \`application/problem+json\`; \`detail\` says what to do. CORS is
enabled for all origins, and the API uses no cookies.`

const securitySchemes: JsonObject = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word `Token`, a space, and the key.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
}

function toPath(route: Route): [string, JsonObject][] {
  const docs = routeDocs[route.path]
  if (docs === null || docs === undefined) return []
  const operations = Object.entries(route.actions).flatMap(([method, action]) => {
    const operation = toOperationDocs(docs, method)
    if (action === undefined || operation === undefined) return []
    return [[method.toLowerCase(), toOperation(route, docs, method, operation, action.role)] as const]
  })
  const parameters = docs.parameters === undefined ? {} : { parameters: docs.parameters.map(toParameter) }
  return [[toTemplate(route.path), { ...parameters, ...Object.fromEntries(operations) }]]
}

/** `/video/:id` -> `/video/{id}` */
function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** HEAD is GET without a body. */
function toOperationDocs({ methods }: RouteDocs, method: string): OperationDocs | undefined {
  const { GET } = methods
  if (method !== 'HEAD' || GET === undefined) return methods[method]
  const answers = Object.entries(GET.answers).map(([status, { content: _, ...rest }]) => [status, rest])
  return {
    ...GET,
    id: `${GET.id}Head`,
    summary: `${GET.summary} (headers only)`,
    answers: Object.fromEntries(answers),
  }
}

function toOperation(route: Route, docs: RouteDocs, method: string, operation: OperationDocs, role: Role | null) {
  const { id, summary, text, parameters = [], body, isBodyOptional = false } = operation
  const description = [text, role === null ? undefined : `Requires a token with the role ${role} or higher.`]
  return {
    operationId: id,
    summary,
    ...toDescription(description),
    tags: [docs.tag],
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(toParameter) }),
    ...(body === undefined ? {} : { requestBody: { required: !isBodyOptional, content: body } }),
    security: role === null ? [{}, { token: [] }, { bearer: [] }] : [{ token: [] }, { bearer: [] }],
    responses: toAnswers(route, method, operation, role),
  }
}

function toDescription(texts: readonly (string | undefined)[]): JsonObject {
  const said = texts.filter((text) => text !== undefined)
  return said.length === 0 ? {} : { description: said.join(' ') }
}

function toParameter({ name, in: place, text, schema, example }: Parameter): JsonObject {
  return {
    name,
    in: place,
    description: text,
    ...(place === 'path' ? { required: true } : {}),
    schema,
    ...(example === undefined ? {} : { example }),
  }
}

/**
 * Texts by path, exactly one for each path of the route table; a test compares the two. Null: a path for people that
 * programs have no use for.
 */
export const routeDocs: { readonly [path: string]: RouteDocs | null } = {
  ...videoDocs,
  ...qualityDocs,
  ...companionDocs,
  ...linkDocs,
  ...historyDocs,
  ...changesDocs,
  ...categoryDocs,
  ...vocabularyDocs,
  ...profileDocs,
  ...variantDocs,
  ...systemDocs,
}

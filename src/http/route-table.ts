import type { MaybePromise } from '../promises.ts'
import { parseRecordId } from '../record/record.ts'
import type { Role } from '../record/role.ts'
import { type Caching, toHeaders } from './respond.ts'
import type {
  Action,
  Answer,
  Call,
  HttpCall,
  Identification,
  Negotiation,
  Route,
  TextAnswer,
  ToErrorAnswer,
  Unrendered,
} from './route.ts'

/** What paths of one kind have in common. */
export interface PathKind {
  /** Sent with every response, besides Allow. */
  readonly headers: { readonly [name: string]: string }
  /** Cache-Control of responses whose handler sets none. */
  readonly caching?: Caching
  readonly negotiates: Negotiation
  /** Handles OPTIONS; null if the method is not allowed. */
  readonly describe: ((call: Call) => TextAnswer) | null
  readonly identifies: Identification
  /** Whether a path whose parameters are not well-formed may be one of another line of the table. */
  readonly fallsThrough?: true
  /** Where the same is served as server-sent events. */
  readonly streamPath?: string
  /** Renders errors as something other than problem+json. */
  readonly toErrorAnswer?: ToErrorAnswer
}

/**
 * Who may call a method. Each route gets its role here, from its row in api/routes.ts, edit/routes.ts or
 * site/routes.ts; the pipeline checks it before the handler runs.
 */
interface RowRoles {
  /** The lowest role; null if the method is public. */
  readonly role: Role | null
  /** Parameters that need a role although the method does not. */
  readonly parameterRoles?: { readonly [name: string]: Role }
}

/** One method of a path. Handlers get `Query` on query threads and `Http` on HTTP threads. */
type Row<Name extends string, Query, Http> =
  | (RowRoles & {
      readonly handler: (call: Call<Name>, deps: Query) => MaybePromise<TextAnswer>
      readonly runsOn: 'query'
      readonly isCached?: true
      /** The parameters that the response depends on; without a list, all. */
      readonly parameters?: readonly string[]
    })
  | (RowRoles & {
      readonly handler: (call: HttpCall<Name>, deps: Http) => MaybePromise<Answer | Unrendered>
      readonly runsOn: 'http'
      /** As in `Action`. */
      readonly takesUploads?: boolean
      /** Renders what the handler left unrendered, on a query thread. */
      readonly render?: (call: Call<Name>, deps: Query, shown: never) => MaybePromise<TextAnswer>
    })

type Rows<Name extends string, Query, Http> = {
  readonly [method in 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE' | 'OPTIONS']?: Row<Name, Query, Http>
}

/** One path with its methods. HEAD follows GET, and Allow the methods that a path has. */
export interface Path<Query, Http> {
  readonly path: string
  readonly kind: PathKind
  readonly rows: Rows<never, Query, Http>
}

/** The names of the parameters in a path, each without its extension. */
type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? BareName<Name> | ParamNames<Rest>
  : P extends `${string}:${infer Name}`
    ? BareName<Name>
    : never
type BareName<Name extends string> = Name extends `${infer Bare}.${string}` ? Bare : Name

/** Returns the function that creates the lines of a table, for handlers with these dependencies. */
export function createPath<Query, Http>() {
  return <const P extends string>(
    pattern: P,
    kind: PathKind,
    rows: Rows<ParamNames<P>, Query, Http>,
  ): Path<Query, Http> => {
    // The router gives a call of this path a value for each name in it.
    return { path: pattern, kind, rows: rows as Rows<never, Query, Http> }
  }
}

/** The routes of a query thread, by `toQueryKey`: the methods that run there, and pages of forms. */
export type QueryRoutes = ReadonlyMap<string, QueryRoute>

interface QueryRoute {
  readonly headers: Headers
  /** `shown` is what the handler of a form left unrendered. */
  handler(call: Call, shown?: unknown): MaybePromise<TextAnswer>
}

/** HEAD follows GET. */
export const toQueryKey = (method: string, path: string) => `${method === 'HEAD' ? 'GET' : method} ${path}`

export function toQueryRoutes<Query, Http>(table: readonly Path<Query, Http>[], deps: Query): QueryRoutes {
  const routes = table.flatMap(({ path, kind, rows }) => {
    const headers = toPathHeaders(kind, toAllow(kind, rows))
    return Object.entries(rows).flatMap(([method, row]) => {
      const handler = toQueryHandler(row, deps)
      return handler === null ? [] : [[toQueryKey(method, path), { headers, handler }] as const]
    })
  })
  return new Map(routes)
}

function toQueryHandler<Query, Http>(row: Row<never, Query, Http>, deps: Query): QueryRoute['handler'] | null {
  if (row.runsOn === 'query') return (call) => row.handler(call, deps)
  const { render } = row
  // The handler of the same row returned it.
  return render === undefined ? null : (call, shown) => render(call, deps, shown as never)
}

export function toRoute<Query, Http extends Query>(
  { path: pattern, kind, rows }: Path<Query, Http>,
  deps: Http,
): Route {
  const allow = toAllow(kind, rows)
  return {
    path: pattern,
    accepts: ({ id, version }) => isAbsentOrId(id) && isAbsentOrId(version),
    fallsThrough: kind.fallsThrough === true,
    actions: toActions(kind, rows, deps),
    allow,
    headers: toPathHeaders(kind, allow),
    negotiates: kind.negotiates,
    identifies: kind.identifies,
    streamPath: kind.streamPath ?? null,
    toErrorAnswer: kind.toErrorAnswer ?? null,
  }
}

const isAbsentOrId = (text: string | undefined) => text === undefined || parseRecordId(text) !== null

/** The route of every other URL. It accepts no parameters, so the response is always 404. */
export function toMissingRoute(kind: PathKind): Route {
  const headers = toPathHeaders(kind, '')
  headers.delete('Allow')
  const toErrorAnswer = kind.toErrorAnswer ?? null
  const { identifies } = kind
  return {
    path: '',
    accepts: () => false,
    fallsThrough: false,
    actions: {},
    allow: '',
    headers,
    negotiates: false,
    identifies,
    streamPath: null,
    toErrorAnswer,
  }
}

/** The same with a page: a GET makes it, and everything else is 404 as above. */
export function toFallbackRoute<Query, Http extends Query>(path: Path<Query, Http>, deps: Http): Route {
  const { headers, toErrorAnswer, ...missing } = toMissingRoute(path.kind)
  const { actions } = toRoute(path, deps)
  return { ...missing, path: path.path, accepts: () => true, actions, headers, toErrorAnswer }
}

function toPathHeaders({ headers, caching }: PathKind, allow: string): Headers {
  return toHeaders(new Headers({ Allow: allow, ...headers }), null, caching ?? null)
}

/** In the order of the table, then HEAD, then OPTIONS. */
function toAllow<Query, Http>(
  kind: PathKind,
  { OPTIONS = toDescribeRow(kind), ...others }: Rows<never, Query, Http>,
): string {
  const methods = [...Object.keys(others), ...(others.GET === undefined ? [] : ['HEAD'])]
  return [...methods, ...(OPTIONS === undefined ? [] : ['OPTIONS'])].join(', ')
}

function toActions<Query, Http extends Query>(
  kind: PathKind,
  rows: Rows<never, Query, Http>,
  deps: Http,
): Route['actions'] {
  const { OPTIONS = toDescribeRow(kind), ...others } = rows
  const bound = Object.entries(others).map(([method, row]) => [method, bind(row, deps)] as const)
  const get = bound.find(([method]) => method === 'GET')
  return {
    ...Object.fromEntries(bound),
    ...(get === undefined ? {} : { HEAD: get[1] }),
    ...(OPTIONS === undefined ? {} : { OPTIONS: bind(OPTIONS, deps) }),
  }
}

function toDescribeRow<Query, Http>({ describe }: PathKind): Row<never, Query, Http> | undefined {
  return describe === null ? undefined : { handler: describe, role: null, runsOn: 'http' }
}

function bind<Query, Http extends Query>(row: Row<never, Query, Http>, deps: Http): Action {
  const { handler, role, runsOn } = row
  const { isCached, parameters } = row.runsOn === 'query' ? row : {}
  const { takesUploads } = row.runsOn === 'http' ? row : {}
  return {
    handler: (call) => handler(call, deps),
    ...{ role, runsOn },
    parameterRoles: Object.entries(row.parameterRoles ?? {}),
    takesUploads: takesUploads === true,
    isCached: isCached === true,
    parameters: parameters ?? null,
  }
}

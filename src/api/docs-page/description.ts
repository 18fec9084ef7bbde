/** The parts of an OpenAPI document that the page shows. */
export interface OpenApiDocument {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: { readonly [path: string]: PathItem }
  readonly components: { readonly schemas: Schemas }
}

export type Schemas = { readonly [name: string]: Schema }

interface PathItem {
  readonly parameters?: readonly DescribedParameter[]
  readonly get?: Operation
  readonly post?: Operation
  readonly put?: Operation
  readonly patch?: Operation
  readonly delete?: Operation
  readonly options?: Operation
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly DescribedParameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: DescribedAnswer }
}

export interface DescribedParameter {
  readonly name: string
  readonly in: 'query' | 'header' | 'path'
  readonly description: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: string | number
}

type Content = { readonly [type: string]: { readonly schema: Schema; readonly example?: unknown } }

export interface DescribedAnswer {
  readonly description: string
  readonly headers?: { readonly [name: string]: { readonly description?: string } }
  readonly content?: Content
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly readOnly?: boolean
  readonly required?: readonly string[]
  readonly properties?: Schemas
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** One method of one path, with the parameters of both. */
export interface DescribedCall {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly DescribedParameter[]
}

/** HEAD is left out: it is GET without the body. */
const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

export function toCalls({ paths }: OpenApiDocument): readonly DescribedCall[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return [{ method: method.toUpperCase(), path, operation, parameters }]
    }),
  )
}

export function toSchemaName({ $ref }: Schema): string | null {
  return $ref?.startsWith('#/components/schemas/') ? ($ref.split('/')[3] ?? null) : null
}

import { plugin } from 'bun'
import { isJsonObject, type JsonObject, type JsonValue } from '../src/record/json.ts'
import { description } from './description.ts'

/** The schemas that the client uses. */
const shapes = [
  ...['VideoRecord', 'VideoRecordChange', 'NewVideoRecord', 'Highlight', 'Passage', 'Completion', 'Moment', 'Extras'],
  ...['VersionLine', 'Version', 'Change', 'ChangeList', 'Batch', 'BatchReport'],
  ...['TextEdit', 'BulkPatch', 'BulkChange', 'BulkDryRun', 'Name', 'Language', 'Variant', 'Dismissed'],
  ...['Speaker', 'SpeakerChange', 'SpeakerVersionLine', 'SpeakerVersion'],
  ...['Finding', 'AcceptedFinding', 'FindingList', 'HiddenFinding', 'FindingCount', 'FindingCountList', 'Duplicates'],
  ...[
    'Link',
    'LinkReportLine',
    'MovedLinks',
    'IgnoredLink',
    'RecordMerge',
    'RelatedLinks',
    'Recordings',
    'Chapters',
    'TranscriptList',
    'Transcript',
  ],
  ...['Category', 'CategoryChange', 'NewCategory', 'CategoryVersionLine', 'CategoryVersion', 'Problem'],
]

/** Schemas that repeat the descriptions of another. */
const repeated = ['VideoRecordChange', 'BatchReport', 'BulkDryRun', 'CategoryChange', 'NewCategory', 'SpeakerChange']

const banner = '// Generated from the OpenAPI document by scripts/client-types.ts. Do not edit.\n\n'

/** The text of src/client/schema.ts. */
export async function toClientTypes(): Promise<string> {
  useOlderCompiler()
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const types = astToString(
    await openapiTS(JSON.stringify(toClientDocument()), { emptyObjectsUnknown: true, immutable: true }),
  )
  const start = types.indexOf('export interface components')
  const helpers = /^type WithRequired<.*?^};/ms.exec(types)?.[0] ?? ''
  const end = types.indexOf('responses: never', start)
  return format(`${banner}${helpers}\n\n${dropEnumNotes(types.slice(start, end))}}\n`)
}

/** Descriptions that repeat the types. */
function dropEnumNotes(types: string): string {
  const own = /^ *\/\*\* @enum \{\w+\} \*\/\n/gm
  const withText = /\/\*\*\n *\* (@description .*)\n *\* @enum \{\w+\}\n *\*\//g
  return types.replace(own, '').replace(withText, '/** $1 */')
}

/** openapi-typescript needs the compiler API of TypeScript 5, which later versions do not have. */
function useOlderCompiler(): void {
  plugin({
    name: 'older compiler',
    setup(build) {
      build.module('typescript', async () => {
        const { default: compiler } = await import('typescript5')
        return { exports: { default: compiler }, loader: 'object' }
      })
    },
  })
}

/** The schemas, plus the filters of the list as one more. */
function toClientDocument(): JsonObject {
  const schemas = pick(pick(description, 'components'), 'schemas')
  const kept = shapes.map((name) => [name, toTyped(pick(schemas, name), !repeated.includes(name))] as const)
  return {
    openapi: '3.1.0',
    info: { title: 'Client', version: '0' },
    paths: {},
    components: { schemas: { ...Object.fromEntries(kept), VideoFilters: toFilters() } },
  }
}

function toFilters(): JsonObject {
  const { parameters } = pick(pick(pick(description, 'paths'), '/api/v2/video'), 'get')
  const all = Array.isArray(parameters) ? parameters.filter(isJsonObject) : []
  const inQuery = all.filter((each) => each.in === 'query' && each.name !== 'format')
  const properties = inQuery.map(({ name, schema, description }) => {
    return [String(name), { ...toTyped(isJsonObject(schema) ? schema : {}, false), description: description ?? '' }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** Without keywords that types cannot express. */
function toTyped(schema: JsonObject, hasTexts: boolean): JsonObject {
  const dropped = ['format', 'pattern', 'default', ...(hasTexts ? [] : ['description'])]
  const strip = (value: JsonValue, isNames: boolean): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => strip(item, false))
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).filter(([name]) => isNames || !dropped.includes(name))
    return Object.fromEntries(entries.map(([name, inner]) => [name, strip(inner, !isNames && name === 'properties')]))
  }
  const stripped = strip(schema, false)
  return isJsonObject(stripped) ? stripped : {}
}

function pick(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  if (!isJsonObject(value)) throw new Error(`The document has no ${name}`)
  return value
}

function format(code: string): string {
  const command = [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--write',
    '--stdin-file-path=src/client/schema.ts',
  ]
  const cwd = new URL('..', import.meta.url).pathname
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, ...command], { cwd, stdin: Buffer.from(code) })
  if (exitCode !== 0) throw new Error(`Biome ended with ${exitCode}: ${stderr}`)
  return stdout.toString()
}

if (import.meta.main) await Bun.write(new URL('../src/client/schema.ts', import.meta.url), await toClientTypes())

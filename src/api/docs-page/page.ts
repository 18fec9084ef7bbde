import { type DescribedCall, type OpenApiDocument, type Schemas, toCalls } from './description.ts'
import { el, toInline, toProse } from './element.ts'
import { showMethod, showOperation } from './operation-view.ts'
import { showSchema } from './schema-view.ts'
import type { TrySession } from './try-form.ts'

/** This script is at <root>/api/docs/<name>. */
const root = new URL('../..', import.meta.url).href.replace(/\/$/, '')

const key = el('input', {
  id: 'key',
  type: 'password',
  autocomplete: 'off',
  spellcheck: 'false',
  placeholder: 'none',
})
const session: TrySession = { root, key: () => key.value.trim() }

/** Below the examples, which are there without this script. */
const reference = document.getElementById('reference') ?? document.body

await start()

async function start(): Promise<void> {
  try {
    const response = await fetch(`${root}/api/v2/openapi.json`, { headers: { Accept: 'application/json' } })
    if (!response.ok) throw new Error(`Cannot load openapi.json (status ${response.status}).`)
    show(await response.json())
  } catch (error) {
    reference.replaceChildren(el('p', { class: 'failed' }, error instanceof Error ? error.message : String(error)))
  }
  openNamed()
  addEventListener('hashchange', openNamed)
}

function show(description: OpenApiDocument): void {
  const { info, tags, components } = description
  const calls = toCalls(description)
  const groups = tags
    .map((tag) => ({ ...tag, calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)).sort(byPath) }))
    .filter((group) => group.calls.length > 0)
  document.title = `${info.title} API`
  reference.replaceChildren(
    el('h2', { id: 'reference-start' }, 'Reference ', el('small', {}, info.version)),
    ...toProse(info.description),
    showKeyField(),
    ...groups.flatMap((group) => [
      el('h2', { id: `tag-${group.name}` }, group.name),
      el('p', {}, ...toInline(group.description)),
      ...showOperations(group.calls, components.schemas),
    ]),
    el('h2', { id: 'schemas' }, 'Schemas'),
    ...Object.entries(components.schemas).map(([name, schema]) =>
      el(
        'details',
        { id: `schema-${name}`, class: 'operation' },
        el('summary', {}, el('code', { class: 'path' }, name), el('span', { class: 'what' }, schema.description ?? '')),
        el('div', { class: 'inside' }, showSchema(schema, components.schemas)),
      ),
    ),
  )
  document.querySelector('nav')?.replaceChildren(showStart(), ...groups.map(showGroup), showSchemasLink())
}

/** Records come first: everything else is about them. */
function byPath(one: DescribedCall, other: DescribedCall): number {
  const isRecord = ({ path }: DescribedCall) => /^\/api\/v2\/video(?:\/\{id\})?$/.test(path)
  return Number(isRecord(other)) - Number(isRecord(one))
}

/** OPTIONS, which says the same on every path, is folded away. */
function showOperations(calls: readonly DescribedCall[], schemas: Schemas): HTMLElement[] {
  const toView = (call: DescribedCall) => showOperation(call, schemas, session)
  const described = calls.filter(({ method }) => method === 'OPTIONS')
  const folded = el('details', { class: 'more' }, el('summary', {}, `OPTIONS (${described.length})`))
  folded.append(...described.map(toView))
  const others = calls.filter(({ method }) => method !== 'OPTIONS').map(toView)
  return described.length === 0 ? others : [...others, folded]
}

function showKeyField(): HTMLElement {
  return el(
    'form',
    { class: 'key', submit: (event) => event.preventDefault() },
    el('label', { for: 'key' }, 'Access token'),
    key,
    el('span', { class: 'hint' }, 'For requests from this page. Never stored.'),
  )
}

function showGroup({ name, calls }: { readonly name: string; readonly calls: readonly DescribedCall[] }): HTMLElement {
  const shown = calls.filter(({ method }) => method !== 'OPTIONS')
  const links = shown.map(({ method, operation }) =>
    el('li', {}, el('a', { href: `#${operation.operationId}` }, showMethod(method), operation.summary)),
  )
  return el('section', {}, el('h2', {}, name), el('ul', {}, ...links))
}

function showStart(): HTMLElement {
  const links = [
    showLink('#start', 'Quick start'),
    showLink('#token', 'Get a token'),
    showLink('#client', 'Use a client'),
    showLink(`${root}/`, 'Back to the talks'),
  ]
  return el('section', {}, el('h2', {}, 'Start'), el('ul', {}, ...links))
}

function showSchemasLink(): HTMLElement {
  return el('section', {}, el('h2', {}, 'More'), el('ul', {}, showLink('#schemas', 'Schemas'), showFileLink()))
}

function showLink(href: string, text: string): HTMLElement {
  return el('li', {}, el('a', { href }, text))
}

function showFileLink(): HTMLElement {
  return showLink(`${root}/api/v2/openapi.json`, 'openapi.json')
}

/** Opens the element that the URL fragment names and scrolls to it. */
function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (
    let each = named?.closest('details') ?? null;
    each !== null;
    each = each.parentElement?.closest('details') ?? null
  ) {
    each.open = true
  }
  named?.scrollIntoView()
}

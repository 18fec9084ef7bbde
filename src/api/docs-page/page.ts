import { type DescribedCall, type OpenApiDocument, toCalls } from './description.ts'
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

await start()

async function start(): Promise<void> {
  const main = document.querySelector('main') ?? document.body
  try {
    const response = await fetch(`${root}/api/v2/openapi.json`, { headers: { Accept: 'application/json' } })
    if (!response.ok) throw new Error(`Cannot load openapi.json (status ${response.status}).`)
    show(await response.json())
  } catch (error) {
    main.replaceChildren(el('p', { class: 'failed' }, error instanceof Error ? error.message : String(error)))
  }
  openNamed()
  addEventListener('hashchange', openNamed)
}

function show(description: OpenApiDocument): void {
  const { info, tags, components } = description
  const calls = toCalls(description)
  const groups = tags
    .map((tag) => ({ ...tag, calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter((group) => group.calls.length > 0)
  document.title = `${info.title} API`
  document
    .querySelector('main')
    ?.replaceChildren(
      el('h1', {}, `${info.title} API `, el('small', {}, info.version)),
      el('p', { class: 'lead' }, info.summary),
      ...toProse(info.description),
      showKeyField(),
      ...groups.flatMap((group) => [
        el('h2', { id: `tag-${group.name}` }, group.name),
        el('p', {}, ...toInline(group.description)),
        ...group.calls.map((call) => showOperation(call, components.schemas, session)),
      ]),
      el('h2', { id: 'schemas' }, 'Schemas'),
      ...Object.entries(components.schemas).map(([name, schema]) =>
        el(
          'details',
          { id: `schema-${name}`, class: 'operation' },
          el(
            'summary',
            {},
            el('code', { class: 'path' }, name),
            el('span', { class: 'what' }, schema.description ?? ''),
          ),
          el('div', { class: 'inside' }, showSchema(schema, components.schemas)),
        ),
      ),
    )
  document.querySelector('nav')?.replaceChildren(...groups.map(showGroup), showSchemasLink())
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
  if (named instanceof HTMLDetailsElement) named.open = true
  named?.scrollIntoView()
}

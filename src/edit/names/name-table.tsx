import { toNumber } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import type { NameLine } from '../../store/name-reads.ts'
import { toListParameters } from './curated-name.ts'
import { namesTexts } from './names-texts.ts'
import { type NamesView, toViewHref } from './names-view.ts'

const texts = namesTexts.list

interface NameTableProps {
  readonly site: Site
  readonly view: NamesView
  readonly lines: readonly NameLine[]
}

export function NameTable({ site, view, lines }: NameTableProps) {
  return (
    <div class="edit-table">
      <table class="name-table">
        <thead>
          <tr>
            <SortHeader site={site} view={view} order="name" label={texts.name} />
            <SortHeader site={site} view={view} order="use" label={texts.count} />
            <th scope="col" class="number">
              {texts.drafts}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <NameRow key={line.id} site={site} view={view} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface SortHeaderProps extends Pick<NameTableProps, 'site' | 'view'> {
  readonly order: NamesView['order']
  readonly label: string
}

function SortHeader({ site, view, order, label }: SortHeaderProps) {
  const isSorted = view.order === order
  const sort = order === 'name' ? 'ascending' : 'descending'
  return (
    <th scope="col" class={order === 'use' ? 'number' : undefined} aria-sort={isSorted ? sort : undefined}>
      {isSorted ? (
        label
      ) : (
        <a href={toViewHref(site, view, { order })} title={texts.sortBy(label)}>
          {label}
        </a>
      )}
      {isSorted && <span aria-hidden="true">{order === 'name' ? ' ↑' : ' ↓'}</span>}
    </th>
  )
}

/** More aliases are counted only. */
const maxAliases = 5

function NameRow({ site, view: { kind }, line }: Pick<NameTableProps, 'site' | 'view'> & { readonly line: NameLine }) {
  const key = kind === 'category' ? line.slug : String(line.id)
  const list = toListParameters({ kind, key })
  const drafts = line.count - line.live
  const rest = line.aliases.length - maxAliases
  return (
    <tr>
      <th scope="row">
        <a href={site.urls.editName(kind, key)} dir="auto">
          {line.name}
        </a>
        {line.aliases.length > 0 && (
          <span class="name-aliases" dir="auto">
            {texts.aliases(line.aliases.slice(0, maxAliases).join(', '))} {rest > 0 && texts.more(rest)}
          </span>
        )}
      </th>
      <td class="number">{line.count === 0 ? 0 : <a href={site.urls.workList(list)}>{toNumber(line.count)}</a>}</td>
      <td class="number">{drafts > 0 && <a href={site.urls.workList({ ...list, state: 2 })}>{toNumber(drafts)}</a>}</td>
    </tr>
  )
}

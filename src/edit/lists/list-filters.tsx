import type { Child } from '#jsx/jsx-runtime'
import type { CompanionTrait } from '../../record/companion/kinds.ts'
import { isFindingCode } from '../../record/quality/finding-codes.ts'
import type { FieldErrors } from '../../record/record.ts'
import type { Chip } from '../../site/part/layout.tsx'
import type { Site } from '../../site/site.ts'
import type { Urls } from '../../site/urls.ts'
import { Hidden } from '../edit-page.tsx'
import { findingChoices, findingTexts } from './known-lists.ts'
import { defaultSize, readFindingFilter, sizes, toHrefWithout, toListHref } from './list-query.ts'

const labels = {
  q: 'Words',
  category: 'Event',
  state: 'State',
  finding: 'Issue',
  language: 'Language',
  host: 'Host of the source',
  by: 'Last changed by',
  whiteboard: 'Notes for curators',
  parked: 'Set aside',
  scheduled: 'Publish later',
  has: 'With',
  missing: 'Without',
  ordering: 'Order',
  page_size: 'Per page',
} as const

/** Labels of the values of these filters. */
const valueLabels = {
  state: { '1': 'Live', '2': 'Draft' },
  parked: { '0': 'Not set aside', '1': 'Set aside' },
  scheduled: { '1': 'Going live later' },
  whiteboard: { '1': 'With a note', '0': 'Without a note' },
} as const

const traitLabels: { readonly [Trait in CompanionTrait]: string } = {
  ...{ slides: 'Slides', code: 'Code', paper: 'Paper', notes: 'Notes', schedule: 'Link to a schedule' },
  ...{ video: 'Link to a video', discussion: 'Discussion', other: 'Other links' },
  ...{ recordings: 'Other recordings', chapters: 'Chapters', transcript: 'Transcript' },
}

const orderLabels = {
  '-recorded': 'Newest recordings first',
  recorded: 'Oldest recordings first',
  title: 'By title',
  '-title': 'By title, from Z to A',
  '-updated': 'Recently changed first',
  updated: 'Longest unchanged first',
  '-added': 'Newest additions first',
  added: 'Oldest additions first',
  '-duration': 'Longest first',
  duration: 'Shortest first',
} as const

interface FormProps {
  readonly site: Site
  readonly parameters: URLSearchParams
  readonly errors: FieldErrors
}

type Choice = readonly [value: string, text: string]

const toChoices = (labelled: { readonly [value: string]: string }): Choice[] => Object.entries(labelled)

const alwaysShown = ['q', 'category', 'finding', 'state'] as const
const behindMore = [
  ...(['parked', 'scheduled', 'whiteboard', 'has', 'missing'] as const),
  ...(['language', 'host', 'by', 'ordering', 'page_size'] as const),
] as const
/** Parameters that the form replaces; it keeps all others. */
const replaced: readonly string[] = [
  ...alwaysShown,
  ...behindMore,
  'page',
  'cursor',
  'done',
  'count',
  'left',
  'code',
  'at',
]

/** A form that sends its filters as the URL of the list, so that the URL is the list (decision 60). */
export function FilterForm({ site: { urls }, parameters, errors }: FormProps) {
  const shared = { parameters, errors }
  const kept = [...parameters].filter(([name]) => !replaced.includes(name) && !errors.has(name))
  const isOpen = behindMore.some((name) => errors.has(name))
  return (
    <form class="list-filters" action={urls.workList()} aria-label="Filters">
      <Hidden fields={kept} />
      <TextFilter {...shared} name="q" />
      <TextFilter {...shared} name="category" pick={urls.pick('category')} />
      <Select {...shared} name="finding" choices={toFindingChoices(parameters)} />
      <Select {...shared} name="state" choices={toChoices(valueLabels.state)} />
      <button type="submit" class="button quiet">
        Show
      </button>
      <details open={isOpen}>
        <summary>More filters, order</summary>
        <div class="list-filters">
          <Select {...shared} name="parked" choices={toChoices(valueLabels.parked)} />
          <Select {...shared} name="scheduled" choices={toChoices(valueLabels.scheduled)} />
          <Select {...shared} name="whiteboard" choices={toChoices(valueLabels.whiteboard)} />
          <Select {...shared} name="has" choices={toChoices(traitLabels)} />
          <Select {...shared} name="missing" choices={toChoices(traitLabels)} />
          <TextFilter {...shared} name="language" pick={urls.pick('language')} />
          <TextFilter {...shared} name="host" />
          <TextFilter {...shared} name="by" />
          <Select {...shared} name="ordering" choices={toOrderChoices(parameters)} standard="-recorded" />
          <Select {...shared} name="page_size" choices={sizeChoices} standard={String(defaultSize)} />
        </div>
      </details>
    </form>
  )
}

const sizeChoices = sizes.map((size): Choice => [String(size), String(size)])

const { category, language, host, by, q } = labels

/** The filters of a list, as links that remove them. `event` is the title of the event, if it is known. */
export function toListChips(urls: Urls, parameters: URLSearchParams, event: string | null): Chip[] {
  const codes = readFindingFilter(parameters)
  const findings = codes.map((code) => {
    const rest = codes.filter((other) => other !== code)
    const href = toListHref(urls, parameters, { finding: rest.length === 0 ? null : rest.join(',') })
    return { text: findingTexts[code].title, href }
  })
  return [...findings, ...[...parameters].flatMap(([name, value]) => toChip(urls, parameters, name, value, event))]
}

/** A combination of findings, which only a URL can have, is one more choice. */
function toFindingChoices(parameters: URLSearchParams): readonly Choice[] {
  const finding = parameters.get('finding') ?? ''
  if (finding === '' || isFindingCode(finding)) return findingChoices
  const codes = finding.split(',').filter(isFindingCode)
  const text = codes.map((code) => findingTexts[code].title).join(' + ')
  return [[finding, text === '' ? finding : text], ...findingChoices]
}

function toOrderChoices(parameters: URLSearchParams): readonly Choice[] {
  const choices = toChoices(orderLabels)
  const ordering = parameters.get('ordering') ?? ''
  return ordering === '' || Object.hasOwn(orderLabels, ordering) ? choices : [[ordering, ordering], ...choices]
}

interface ControlProps extends Pick<FormProps, 'parameters' | 'errors'> {
  readonly name: (typeof alwaysShown)[number] | (typeof behindMore)[number]
}

const toId = (name: string) => `filter-${name}`

const toErrorId = (name: string) => `filter-${name}-error`

function toAttributes({ name, errors }: ControlProps) {
  const isWrong = errors.has(name)
  return {
    ...{ id: toId(name), name },
    'aria-invalid': isWrong ? ('true' as const) : undefined,
    'aria-describedby': isWrong ? toErrorId(name) : undefined,
  }
}

function TextFilter({ pick, ...props }: ControlProps & { readonly pick?: string }) {
  const value = props.parameters.getAll(props.name).join(' ')
  return (
    <Labelled {...props}>
      <input
        {...toAttributes(props)}
        type={props.name === 'q' ? 'search' : 'text'}
        value={value}
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        data-pick={pick}
        data-key={props.name === 'q' ? '/' : undefined}
      />
    </Labelled>
  )
}

interface SelectProps extends ControlProps {
  readonly choices: readonly Choice[]
  /** The default value; without it, the default is “Any”. */
  readonly standard?: string
}

function Select({ choices, standard, ...props }: SelectProps) {
  const chosen = props.parameters.get(props.name) ?? standard ?? ''
  const isKnown = chosen === '' || choices.some(([value]) => value === chosen)
  const offered: readonly Choice[] = [
    ...(standard === undefined ? [['', 'Any'] as const] : []),
    ...(isKnown ? [] : [[chosen, chosen] as const]),
    ...choices,
  ]
  return (
    <Labelled {...props}>
      <select {...toAttributes(props)} autocomplete="off">
        {offered.map(([value, text]) => (
          // The default stays out of the URL.
          <option key={value} value={value === standard ? '' : value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

function Labelled({ name, errors, children }: ControlProps & { readonly children: Child }) {
  const problems = errors.get(name) ?? []
  return (
    <p class={`filter filter-${name}`}>
      <label for={toId(name)}>{labels[name]}</label>
      {children}
      {problems.length > 0 && (
        <span class="error" id={toErrorId(name)}>
          {problems.join(' ')}
        </span>
      )}
    </p>
  )
}

/** Labels in chips, for filters without a control. */
const otherLabels = {
  speaker: 'speaker',
  tag: 'tag',
  speaker_id: 'speaker number',
  tag_id: 'tag number',
  recorded_after: 'recorded from',
  recorded_before: 'recorded until',
  duration_min: 'minimum length in seconds',
  duration_max: 'maximum length in seconds',
  has: 'with',
  missing: 'without',
  has_any: 'has any of',
  source_url: 'source',
  id: 'numbers',
  added_after: 'added from',
  added_before: 'added until',
  updated_after: 'changed from',
  updated_before: 'changed until',
} as const

const chipValues: { readonly [name: string]: { readonly [value: string]: string } } = valueLabels

const chipLabels: { readonly [name: string]: string } = { category, language, host, by, q, ...otherLabels }

function toChip(urls: Urls, parameters: URLSearchParams, name: string, value: string, event: string | null): Chip[] {
  const values = chipValues[name]
  const label = chipLabels[name]
  if (values === undefined && label === undefined) return []
  const text =
    values === undefined ? `${label}: ${name === 'category' ? (event ?? value) : value}` : (values[value] ?? value)
  return [{ text, href: toHrefWithout(urls, parameters, name, value) }]
}

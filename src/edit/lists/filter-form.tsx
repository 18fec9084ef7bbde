import type { Child } from '#jsx/jsx-runtime'
import { isFindingCode } from '../../record/quality/finding-codes.ts'
import type { FieldErrors } from '../../record/record.ts'
import type { Site } from '../../site/site.ts'
import { findingChoices, listTexts } from './lists-texts.ts'
import { defaultSize, sizes } from './work-list.ts'

const { filters: texts } = listTexts

interface FormProps {
  readonly site: Site
  readonly parameters: URLSearchParams
  readonly errors: FieldErrors
}

type Choice = readonly [value: string, text: string]

const toChoices = (named: { readonly [value: string]: string }): Choice[] => Object.entries(named)

const first = ['q', 'category', 'finding', 'state'] as const
const more = ['parked', 'whiteboard', 'language', 'host', 'by', 'ordering', 'page_size'] as const
/** Everything else is kept as it is. */
const unkept: readonly string[] = [...first, ...more, 'page', 'cursor', 'done', 'count', 'left']

/** A form that sends its filters as the address of the list, so that the address is the list (decision 60). */
export function FilterForm({ site: { urls }, parameters, errors }: FormProps) {
  const shared = { parameters, errors }
  const kept = [...parameters].filter(([name]) => !unkept.includes(name) && !errors.has(name))
  const isOpen = more.some((name) => errors.has(name))
  return (
    <form class="list-filters" action={urls.workList()} aria-label={texts.title}>
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <TextFilter {...shared} name="q" />
      <TextFilter {...shared} name="category" pick={urls.pick('category')} />
      <Select {...shared} name="finding" choices={toFindingChoices(parameters)} />
      <Select {...shared} name="state" choices={toChoices(texts.states)} />
      <button type="submit" class="button quiet">
        {texts.submit}
      </button>
      <details open={isOpen}>
        <summary>{texts.more}</summary>
        <div class="list-filters">
          <Select {...shared} name="parked" choices={toChoices(texts.parkings)} />
          <Select {...shared} name="whiteboard" choices={toChoices(texts.whiteboards)} />
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

/** A combination of findings, which an address can have, is one more choice. */
function toFindingChoices(parameters: URLSearchParams): readonly Choice[] {
  const given = parameters.get('finding') ?? ''
  if (given === '' || isFindingCode(given)) return findingChoices
  const codes = given.split(',').filter(isFindingCode)
  const text = codes.map((code) => listTexts.findings[code].title).join(texts.and)
  return [[given, text === '' ? given : text], ...findingChoices]
}

function toOrderChoices(parameters: URLSearchParams): readonly Choice[] {
  const choices = toChoices(listTexts.orders)
  const given = parameters.get('ordering') ?? ''
  return given === '' || Object.hasOwn(listTexts.orders, given) ? choices : [[given, given], ...choices]
}

interface ControlProps extends Pick<FormProps, 'parameters' | 'errors'> {
  readonly name: (typeof first)[number] | (typeof more)[number]
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
  /** The choice that is meant if nothing is chosen; without it, that is any. */
  readonly standard?: string
}

function Select({ choices, standard, ...props }: SelectProps) {
  const given = props.parameters.get(props.name) ?? standard ?? ''
  const isKnown = given === '' || choices.some(([value]) => value === given)
  const offered: readonly Choice[] = [
    ...(standard === undefined ? [['', texts.any] as const] : []),
    ...(isKnown ? [] : [[given, given] as const]),
    ...choices,
  ]
  return (
    <Labelled {...props}>
      <select {...toAttributes(props)} autocomplete="off">
        {offered.map(([value, text]) => (
          // What is meant anyway stays out of the address.
          <option key={value} value={value === standard ? '' : value} selected={value === given}>
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
      <label for={toId(name)}>{texts[name]}</label>
      {children}
      {problems.length > 0 && (
        <span class="error" id={toErrorId(name)}>
          {problems.join(' ')}
        </span>
      )}
    </p>
  )
}

import type { Caller } from '../../../http/route.ts'
import { toNumber } from '../../../record/text/counted.ts'
import type { VariantLine } from '../../../record/variants/variant.ts'
import type { Site } from '../../../site/site.ts'
import type { Example } from '../../../store/name-reads.ts'
import { PostForm } from '../../edit-page.tsx'
import { toListParameters, toListText } from '../curated-name.ts'
import { ExampleList } from '../name-parts.tsx'
import { variantTexts as texts } from './variant-texts.ts'

/** Few enough that a person sees what is left go down. */
export const groupsPerPage = 20

/** The others of a group come when these are merged. */
export const maxShownNames = 12

interface VariantGroupProps {
  readonly site: Site
  readonly caller: Caller
  readonly kind: 'speaker' | 'tag'
  readonly page: number
  /** On this page, from 1. */
  readonly number: number
  readonly line: VariantLine
  readonly examples: ReadonlyMap<number, readonly Example[]>
  readonly mayChange: boolean
}

/** Names side by side. The most used one stays unless another is chosen, so most groups take one click. */
export function VariantGroup(props: VariantGroupProps) {
  const { site, caller, kind, page, number, line, mayChange } = props
  const shown = line.names.slice(0, maxShownNames)
  const rest = line.names.length - shown.length
  const id = `group-${number}`
  const content = (
    <>
      <div class="group-head">
        <h2 id={`${id}-title`}>{texts.group((page - 1) * groupsPerPage + number)}</h2>
        <p class="muted">{line.reason === 'alias' ? texts.wasMerged : texts.differ(texts.reasons[line.reason])}</p>
      </div>
      <NameTable {...props} shown={shown} />
      {rest > 0 && <p class="muted">{texts.more(rest)}</p>}
      {mayChange && <GroupButtons shown={shown} number={number} />}
    </>
  )
  return (
    <section class="variant-group" id={id} aria-labelledby={`${id}-title`} data-row>
      {mayChange ? (
        <PostForm caller={caller} action={site.urls.variants(kind, { page: page === 1 ? null : page })}>
          {content}
        </PostForm>
      ) : (
        content
      )}
    </section>
  )
}

type Shown = { readonly shown: VariantLine['names'] }

/** The names as they were shown: a merge of another name than this person saw is refused. */
function GroupButtons({ shown, number }: Shown & Pick<VariantGroupProps, 'number'>) {
  return (
    <div class="buttons">
      <input type="hidden" name="key" value={crypto.randomUUID()} />
      <input type="hidden" name="group" value={number} />
      {shown.map(({ id, name }) => (
        <input key={id} type="hidden" name={`name.${id}`} value={name} />
      ))}
      <button class="button" type="submit" name="do" value="merge" data-key="m">
        {texts.merge}
      </button>
      <button class="button quiet" type="submit" name="do" value="dismiss" data-key="d">
        {texts.dismiss}
      </button>
    </div>
  )
}

function NameTable({ shown, ...props }: VariantGroupProps & Shown) {
  const { mayChange } = props
  return (
    <table class="variant-table">
      <thead>
        <tr>
          {mayChange && <th scope="col">{texts.keep}</th>}
          {mayChange && <th scope="col">{texts.mergeColumn}</th>}
          <th scope="col">{texts.name}</th>
          <th scope="col" class="number">
            {texts.talks}
          </th>
          <th scope="col">{texts.examples}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((name, i) => (
          <NameLine key={name.id} {...props} name={name} isFirst={i === 0} />
        ))}
      </tbody>
    </table>
  )
}

interface NameLineProps extends VariantGroupProps {
  readonly name: VariantLine['names'][number]
  readonly isFirst: boolean
}

function NameLine({ site, kind, examples, mayChange, name: { id, name, count }, isFirst }: NameLineProps) {
  const own = { kind, key: String(id) }
  return (
    <tr>
      {mayChange && (
        <td class="tick">
          <label>
            <input type="radio" name="keep" value={id} checked={isFirst} aria-label={texts.keepThis(name)} />
            <span class="narrow-label">{texts.keep}</span>
          </label>
        </td>
      )}
      {mayChange && (
        <td class="tick">
          <label>
            <input type="checkbox" name="merge" value={id} checked aria-label={texts.mergeThis(name)} />
            <span class="narrow-label">{texts.mergeColumn}</span>
          </label>
        </td>
      )}
      <th scope="row">
        <a href={site.urls.editName(kind, id)} dir="auto">
          {name}
        </a>
      </th>
      <td class="number">
        <a href={site.urls.workList(toListParameters(own))}>{toNumber(count)}</a>
      </td>
      <td class="examples">
        <ExampleList site={site} examples={examples.get(id) ?? []} list={toListText(own)} />
      </td>
    </tr>
  )
}

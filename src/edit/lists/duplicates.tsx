import type { Child } from '#jsx/jsx-runtime'
import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import { fields } from '../../record/fields.ts'
import { isTakenName } from '../../record/parse-bulk.ts'
import { type DuplicatePair, type Duplicates, duplicateReasons } from '../../record/query/findings.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { parseRecordId } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { live } from '../../record/state.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { toShortDay } from '../../site/text/format.ts'
import type { UrlParameters } from '../../site/urls.ts'
import { createSingleBudget, toDifferingNames, toLang, toSides } from '../diff.tsx'
import { Hidden, PostForm, renderEditPage, requireCaller, respondEditPage } from '../edit-page.tsx'
import { toFullLabel, toValue, toWritable } from '../form/field-hints.ts'
import { findEditedTalk, type TalkVersion } from '../talk/talk-version.ts'
import { findDuplicateNotice } from './duplicate-notice.tsx'

const pageTitle = 'Possible duplicates'

const reasonTexts = {
  same_video: {
    tab: 'Same video',
    explain: 'The source of both is the same video. One of them may be a duplicate, or link to the wrong video.',
    none: 'No two talks have the same video, apart from those that you have decided on.',
  },
  same_title: {
    tab: 'Same title in one event',
    explain: 'Both are in the same event and have the same title.',
    none: 'No event has two talks with the same title, apart from those that you have decided on.',
  },
} as const

type Reason = Duplicates['reason']

/** A pair of a list: its number, and how many there are. */
interface PairPlace {
  readonly reason: Reason
  readonly number: number
  readonly count: number
}

/**
 * `/edit/duplicates`: one pair of talks that may be the same after the other, `?n=3` the third; `?compare=1,2` shows any
 * two talks.
 */
export async function showDuplicates(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  return respondDuplicates(call, deps, await findDuplicateNotice(call, deps))
}

/** The page with what was done last, or why nothing was done. */
export async function respondDuplicates(call: Call, deps: SiteDeps, message: Child): Promise<TextAnswer> {
  const compared = call.query().get('compare')
  if (compared !== null) return respondCompared(call, deps, compared, message)
  const site = await openSite(call, deps)
  const reason = readReason(call)
  const wanted = call.query().get('n') ?? '1'
  if (!isIdText(wanted)) throw new Refused({ code: 'no_such_page' })
  const { pair, count, number } = await findPair(call, deps, reason, Number(wanted))
  const place = { reason, number, count }
  const talks = pair === null ? [] : await Promise.all(pair.ids.map((id) => findEditedTalk(deps.store, id)))
  const [first, second] = talks
  const body = (
    <div class="edit-page">
      <h1>{pageTitle}</h1>
      <Reasons site={site} reason={reason} />
      {message}
      {pair === null || first == null || second == null ? (
        <Finished site={site} reason={reason} />
      ) : (
        <>
          <PairSteps site={site} place={place} />
          <p>{reasonTexts[reason].explain}</p>
          <Pair {...{ site, first, second, pair }} caller={requireCaller(call)} action={toPlaceHref(site, place)} />
        </>
      )}
    </div>
  )
  const frame = { site, caller: requireCaller(call), section: 'lists' } as const
  return respondEditPage(call, renderEditPage(frame, pageTitle, body))
}

const readReason = (call: Call) =>
  duplicateReasons.find((known) => known === call.query().get('reason')) ?? 'same_video'

/** The pair with this number, or the last one: after a merge the list is shorter. */
async function findPair(call: Call, { store }: SiteDeps, reason: Reason, wanted: number) {
  const read = async (page: number) =>
    requireRead(await store.listDuplicatePairs({ reason, page, pageSize: 1 }, call.signal))
  const found = await read(wanted)
  const { count } = found
  const number = Math.max(1, Math.min(wanted, count))
  const { lines } = number === wanted ? found : await read(number)
  return { pair: lines[0] ?? null, count, number }
}

/** Where a list goes on after a form, at the same number. */
function toPlaceHref({ urls }: Site, { reason, number }: Omit<PairPlace, 'count'>, more: UrlParameters = {}) {
  return urls.duplicates({
    ...{ reason: reason === 'same_video' ? null : reason, n: number === 1 ? null : number, ...more },
  })
}

function Reasons({ site, reason }: { readonly site: Site; readonly reason: Reason }) {
  return (
    <ul class="tabs">
      {duplicateReasons.map((choice) => (
        <li key={choice}>
          <a
            href={toPlaceHref(site, { reason: choice, number: 1 })}
            aria-current={choice === reason ? 'page' : undefined}
          >
            {reasonTexts[choice].tab}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** At the end of one list, the way to the other. */
function Finished({ site, reason }: { readonly site: Site; readonly reason: Reason }) {
  const others = duplicateReasons.filter((choice) => choice !== reason)
  return (
    <>
      <p>{reasonTexts[reason].none}</p>
      <p class="steps">
        {others.map((choice) => (
          <a key={choice} href={toPlaceHref(site, { reason: choice, number: 1 })}>
            Go on: {reasonTexts[choice].tab.toLowerCase()}
          </a>
        ))}
        <a href={site.urls.editHome}>Back to the work lists</a>
      </p>
    </>
  )
}

function PairSteps({ site, place }: { readonly site: Site; readonly place: PairPlace }) {
  const { number, count } = place
  return (
    <p class="steps pair-steps">
      <b>
        Pair {toNumber(number)} of {toNumber(count)}
      </b>
      {number > 1 && (
        <a rel="prev" href={toPlaceHref(site, { ...place, number: number - 1 })}>
          Previous pair
        </a>
      )}
      {number < count && (
        <a rel="next" href={toPlaceHref(site, { ...place, number: number + 1 })}>
          Next pair
        </a>
      )}
    </p>
  )
}

/** Any two talks. `compared` is their two ids, separated by a comma. */
async function respondCompared(call: Call, deps: SiteDeps, compared: string, message: Child): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const [first, second, ...more] = await Promise.all(compared.split(',', 3).map((word) => readTalk(deps, word)))
  if (first == null || second == null || more.length > 0 || first.id === second.id)
    throw new Refused({ code: 'not_found', detail: 'A comparison needs the numbers of two talks.' })
  const title = `Talks ${first.id} and ${second.id} compared`
  const pair = { reason: 'same_video', ids: [first.id, second.id], group: [first.id, second.id] } as const
  const body = (
    <div class="edit-page">
      <p>
        <a href={site.urls.duplicates()}>All possible duplicates</a>
      </p>
      <h1>{title}</h1>
      {message}
      <Pair {...{ site, caller, first, second, pair }} action={site.urls.duplicates({ compare: compared })} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

async function readTalk({ store }: SiteDeps, word: string): Promise<TalkVersion | null> {
  const id = parseRecordId(word.trim())
  return id === null ? null : findEditedTalk(store, id)
}

interface PairProps {
  readonly site: Site
  readonly caller: Caller
  readonly first: TalkVersion
  readonly second: TalkVersion
  readonly pair: DuplicatePair
  /** Where the form goes. */
  readonly action: string
}

/** Two talks in two columns, in a form that keeps one of them. The other can give it some of its fields. */
function Pair(props: PairProps) {
  const { caller, first, second, pair, action } = props
  const mayMerge = hasRole(caller.role, 'publisher')
  const others = pair.group.length - 2
  return (
    <PostForm
      class="pair-form"
      caller={caller}
      action={action}
      hidden={{ key: crypto.randomUUID(), ids: pair.ids.join(), group: pair.group.slice(0, maxGroup).join() }}
    >
      <Hidden fields={[first, second].map(({ id, etag }) => [`etag.${id}`, etag])} />
      {/* Above the texts, which may be long. */}
      {mayMerge && (
        <p class="buttons pair-buttons">
          <button class="button quiet" type="submit" name="do" value="distinct" data-key="y">
            Not the same
          </button>
          {others > 0 && others + 2 <= maxGroup && (
            <button class="button quiet" type="submit" name="do" value="all-distinct">
              None of these {toNumber(others + 2)} are the same
            </button>
          )}
          <button class="button quiet" type="reset">
            Clear my choices
          </button>
        </p>
      )}
      <PairTable {...props} mayMerge={mayMerge} />
      {!mayMerge && <p class="muted">Publishers can merge them, or mark them as different.</p>}
      {others > 0 && (
        <p class="muted">{toCounted(others, 'more talk looks', 'more talks look')} like these; they come next.</p>
      )}
    </PostForm>
  )
}

/** As many as can be called different at once. */
const maxGroup = 100

function PairTable({ site, first, second, mayMerge }: PairProps & { readonly mayMerge: boolean }) {
  const names = toDifferingNames(first.record, second.record).filter((name) => name !== 'state')
  const same = toWritable(fields)
    .map(([name]) => name)
    .filter((name) => !names.includes(name) && name !== 'state' && hasValue(toValue(first.record, name)))
  const budget = createSingleBudget()
  return (
    <div class="pair-columns">
      <div class="pair-row pair-head">
        <div class="pair-label">
          {mayMerge && <p class="muted">Where you choose nothing, the kept talk keeps its own value.</p>}
        </div>
        <TalkHead {...{ site, mayMerge }} talk={first} other={second} side="first" />
        <TalkHead {...{ site, mayMerge }} talk={second} other={first} side="second" />
      </div>
      {names.map((name) => {
        const [before, after] = [toValue(first.record, name), toValue(second.record, name)]
        const shared = { name, table: fields, budget, before, after }
        const [left, right] = toSides({ ...shared, lang: toLang(first.record) })
        const choice = { name, isOffered: mayMerge && isTakenName(name) }
        return (
          <fieldset key={name} class="pair-row">
            <legend class="pair-label">{toFullLabel(name)}</legend>
            <Side {...choice} id={first.id} isChosen={isEmpty(after) && !isEmpty(before)}>
              {left}
            </Side>
            <Side {...choice} id={second.id} isChosen={isEmpty(before) && !isEmpty(after)}>
              {right}
            </Side>
          </fieldset>
        )
      })}
      <div class="pair-row">
        <p class="pair-label">The same in both</p>
        <p class="muted pair-same">{same.map(toFullLabel).join(', ')}</p>
      </div>
    </div>
  )
}

/** Whether a value that is the same in both is worth naming. */
const hasValue = (value: unknown) => !isEmpty(value) && value !== false

/** A value that the other talk may fill. */
const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

interface TalkHeadProps {
  readonly site: Site
  readonly talk: TalkVersion
  readonly other: TalkVersion
  readonly side: 'first' | 'second'
  readonly mayMerge: boolean
}

function TalkHead({ site, talk: { id, record }, other, side, mayMerge }: TalkHeadProps) {
  const isLive = record.state === live
  const facts = [`Talk ${id}`, isLive ? 'live' : 'draft', `added ${toShortDay(record.added.slice(0, 10))}`]
  const why = other.record.state === live ? 'A draft cannot be kept.' : 'Publish it first: a draft cannot be kept.'
  return (
    <div class="pair-talk" id={`talk-${side}`}>
      <h2 lang={toLang(record)} dir="auto">
        <a href={site.urls.edit(id)}>{record.title}</a>
      </h2>
      <p class="muted">{facts.join(' · ')}</p>
      {mayMerge && isLive && (
        <button
          class="button"
          type="submit"
          name="do"
          value={`keep-${id}`}
          aria-describedby={`talk-${side}`}
          data-key={side === 'first' ? '1' : '2'}
        >
          Keep this one
        </button>
      )}
      {mayMerge && !isLive && <p class="muted">{why}</p>}
    </div>
  )
}

interface SideProps {
  readonly name: string
  readonly id: number
  readonly isOffered: boolean
  readonly isChosen: boolean
  readonly children: Child
}

function Side({ name, id, isOffered, isChosen, children }: SideProps) {
  return (
    <div class="pair-side">
      {children}
      {isOffered && (
        <label class="choice">
          <input type="radio" name={`take.${name}`} value={id} checked={isChosen} /> Take this
        </label>
      )}
    </div>
  )
}

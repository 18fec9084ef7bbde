import { executeBatch, logBatch } from '../../http/execute.ts'
import { requireRead } from '../../http/problem.ts'
import { type Call, type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import type { BulkCommand } from '../../record/command.ts'
import { isAcceptable } from '../../record/link/moved.ts'
import type { LinkFilters, LinkLine } from '../../record/query/links.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { SiteDeps, SiteHttpDeps } from '../../site/site.ts'
import type { BatchReport } from '../../store/batch-reads.ts'
import { CountInput, isCountTyped } from '../big-step.tsx'
import { PostForm, renderEditPage, respondEditPage, StepButtons, seeOther } from '../edit-page.tsx'
import { type LinksPage, toParameters } from './link-filters.ts'

/** The most that one form accepts. */
const maxAccepted = 10_000

/** Asks for the preview. */
export function AcceptForm({ site, caller, filters, count }: LinksPage & { readonly count: number }) {
  return (
    <PostForm caller={caller} action={site.urls.links()} hidden={toParameters(filters)}>
      <button type="submit" class="button" name="do" value="preview">
        {`Accept ${toCounted(count, 'moved address', 'moved addresses')} …`}
      </button>
    </PostForm>
  )
}

export const readMoved = async (
  call: Call,
  { store }: Pick<SiteDeps, 'store'>,
  filters: LinkFilters,
  pageSize: number,
) => requireRead(await store.listLinks({ ...filters, states: ['moved'], page: 1, pageSize }, call.signal))

/** Those that may be accepted. */
export async function findMoved(call: Call, deps: SiteHttpDeps, filters: LinkFilters): Promise<readonly LinkLine[]> {
  const { lines } = await readMoved(call, deps, filters, maxAccepted)
  return lines.filter(({ url, target }) => target !== null && isAcceptable({ url, target }))
}

const toRequest = (moved: readonly LinkLine[]): BulkCommand['request'] => ({
  select: { is: 'moved', filters: null, urls: moved.map(({ url }) => url) },
  work: { is: 'moved' },
  ...{ expect: null, asOf: null, isPartial: true },
})

async function runMoved(call: HttpCall, deps: SiteHttpDeps, command: Omit<BulkCommand, 'kind'>) {
  const { batch, preview } = await executeBatch(deps, call, { kind: 'bulk', ...command })
  return { batch, hash: preview?.hash ?? '' }
}

/** The form that does exactly what it shows. */
export async function previewMoved(
  call: HttpCall,
  deps: SiteHttpDeps,
  page: LinksPage,
  moved: readonly LinkLine[],
  sent?: Form,
): Promise<TextAnswer> {
  const { site, caller, filters } = page
  const command = { request: toRequest(moved), author: toAuthor(caller), isDryRun: true }
  const { batch, hash } = await runMoved(call, deps, command)
  const { lines } = await readMoved(call, deps, filters, maxAccepted)
  const [title, back] = ['Accept moved addresses', site.urls.links(toParameters(filters))]
  const body = (
    <div class="edit-page">
      <h1>{title}</h1>
      <PostForm
        class="apply-form"
        caller={caller}
        action={site.urls.links()}
        hidden={{ ...toParameters(filters), hash: toSeen(moved, hash), key: crypto.randomUUID() }}
      >
        <p>{toSentence(moved.length, lines.length - moved.length, batch)}</p>
        <CountInput talks={batch.changed} form={sent} />
        {batch.changed > 0 ? (
          <StepButtons action="apply" label={`Change ${toCounted(batch.changed, 'talk')}`} cancel={back} />
        ) : (
          <a href={back}>Back</a>
        )}
      </PostForm>
      <MovedLines moved={moved} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
}

const shownMoved = 200

function MovedLines({ moved }: { readonly moved: readonly LinkLine[] }) {
  return (
    <>
      <ul class="link-lines">
        {moved.slice(0, shownMoved).map(({ url, target }) => (
          <li key={url}>
            <p>
              <del>{url}</del>
            </p>
            <p>
              <ins>{target}</ins>
            </p>
          </li>
        ))}
      </ul>
      {moved.length > shownMoved && <p>{`and ${toNumber(moved.length - shownMoved)} more.`}</p>}
    </>
  )
}

const toAddresses = (count: number) => toCounted(count, 'address', 'addresses')

function toSentence(moved: number, left: number, { changed, refused_count }: BatchReport): string {
  const sentences = [
    moved > 0 &&
      `${toAddresses(moved)} of ${toCounted(changed, 'talk')} will change to their new addresses. You can undo this on the next page.`,
    left > 0 && `Not changed: ${toAddresses(left)} whose new address has no https or is invalid in a record.`,
    refused_count > 0 && `${toCounted(refused_count, 'talk')} cannot be changed.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Differs if addresses, targets or talks do. */
const toSeen = (moved: readonly LinkLine[], hash: string) =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([hash, ...moved.map(({ url, target }) => [url, target])]))
    .digest('base64url')

export async function applyMoved(
  call: HttpCall,
  deps: SiteHttpDeps,
  page: LinksPage,
  form: Form,
  moved: readonly LinkLine[],
): Promise<TextAnswer> {
  const { site, caller } = page
  const request = toRequest(moved)
  const author = toAuthor(caller)
  const { batch, hash } = await runMoved(call, deps, { request, author, isDryRun: true })
  if (form.get('hash') !== toSeen(moved, hash) || !isCountTyped(form, batch.changed))
    return previewMoved(call, deps, page, moved, form)
  const key = form.get('key') ?? ''
  const done = await runMoved(call, deps, {
    ...{ request: { ...request, expectHash: hash }, author, reason: 'Moved addresses accepted' },
    ...(key === '' ? {} : { idempotencyKey: key }),
  })
  logBatch(deps.log, call, done.batch)
  return seeOther(call, done.batch.id === null ? site.urls.links() : site.urls.batch(done.batch.id, { done: 1 }))
}

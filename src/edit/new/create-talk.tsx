import { execute, logWrite } from '../../http/execute.ts'
import { type Problem, Refused, requireRead, toSentence, toStatus } from '../../http/problem.ts'
import { type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { type CreateCommand, parseReason } from '../../record/command.ts'
import { fields } from '../../record/fields.ts'
import type { Changes, FieldErrors, VideoRecord } from '../../record/record.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import type { ReadStore, StoredRecord } from '../../store/store.ts'
import { requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { parseForm, toBlankRecord } from '../form/form-values.ts'
import { toSavedFlag } from '../talk/talk-version.ts'
import {
  findKnownTalks,
  NewForm,
  type NewFormProps,
  type NewTalk,
  nothingKept,
  renderNewPage,
  toKept,
  toUnsavedNewKey,
} from './new-talk.tsx'

/** The state that each button sets; the form has no field for it. */
const states = { create: 2, publish: 1 } as const
const table = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'state'))

/** `POST /edit/new`: creates the talk and redirects to its editor, or shows the form again with everything in it. */
export async function createTalk(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const talk = await toNewTalk(call, deps, form)
  const parsed = parseForm(form, toBlankRecord(), { table, isNew: true })
  const reason = parseReason(form.get('reason') ?? '')
  const shown = { typed: parsed.typed, sendKey: toSendKey(form), reason: form.get('reason') ?? '' }
  const again = (status: number, more: Partial<NewFormProps>) => {
    const isAnyway = form.get('anyway') === '1'
    const html = renderNewPage(talk, <NewForm {...talk} {...shown} isAnyway={isAnyway} isUnsaved {...more} />)
    return { ...respondEditPage(call, html), status }
  }
  if (!parsed.ok || !reason.ok) return again(400, { errors: toErrors(parsed, reason) })
  const command = toCommand(call, form, parsed.changes, reason.value)
  try {
    const known = form.get('anyway') === '1' ? [] : await findOthers(deps.store, command)
    if (known.length > 0) return again(409, { known })
    const outcome = await execute(deps, call, command)
    if (outcome.is !== 'stored' && outcome.is !== 'repeated') throw new Error(`a talk was ${outcome.is}`)
    if (outcome.is === 'stored') logWrite(deps.log, call, command, outcome)
    const { id, version } = outcome.stored
    return seeOther(call, toNextPage(talk, form.get('do'), command.changes, { id, version }))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return again(toStatus(error.problem), toFailure(error.problem))
  }
}

/** The editor of the new talk, or the page of the next one: it asks for an address if this one had one. */
function toNextPage(
  { site: { urls }, address }: NewTalk,
  action: string | null,
  changes: Changes,
  { id, version }: Pick<StoredRecord, 'id' | 'version'>,
): string {
  const flag = { saved: toSavedFlag({ id, base: 0, version }), unsaved: toUnsavedNewKey(address) }
  if (action !== 'next') return urls.edit(id, flag)
  return urls.newTalk({ ...toKept(changes), blank: address === '' ? 1 : null, ...flag })
}

async function toNewTalk(call: HttpCall, deps: SiteHttpDeps, form: Form): Promise<NewTalk> {
  const site = await openSite(call, deps)
  return { site, caller: requireCaller(call), address: form.get('address') ?? '', kept: nothingKept }
}

/** A form without a valid key gets a new one. */
function toSendKey(form: Form): string {
  const key = form.get('key') ?? ''
  return /^[\w-]{16,64}$/.test(key) ? key : crypto.randomUUID()
}

function toCommand(call: HttpCall, form: Form, changes: Changes, reason: string | null): CreateCommand {
  const state = form.get('do') === 'publish' ? states.publish : states.create
  return {
    kind: 'create',
    author: toAuthor(requireCaller(call)),
    changes: { ...changes, state },
    idempotencyKey: toSendKey(form),
    ...(reason === null ? {} : { reason }),
  }
}

/** Other talks with the same video. Empty if this form has created one of them, and so was sent twice. */
async function findOthers(store: ReadStore, command: CreateCommand): Promise<readonly VideoRecord[]> {
  const { changes, author, idempotencyKey: key = '' } = command
  const files = [changes.video_mp4_url, changes.video_webm_url, changes.video_ogv_url, changes.video_flv_url]
  const addresses = [changes.source_url, ...files].map((address) => address ?? '')
  const { talks } = await findKnownTalks(store, addresses)
  const made = talks.length === 0 ? null : requireRead(await store.findByIdempotencyKey({ author: author.name, key }))
  return made === null ? talks : []
}

function toErrors(parsed: ReturnType<typeof parseForm>, reason: ReturnType<typeof parseReason>): FieldErrors {
  const errors = parsed.ok ? [] : [...parsed.errors]
  return new Map([...errors, ...(reason.ok ? [] : [['reason', reason.problems] as const])])
}

/**
 * A form whose key was used for another talk gets a new key; after any other failure it can be sent again unchanged.
 */
function toFailure(problem: Problem): Partial<NewFormProps> {
  switch (problem.code) {
    case 'key_reused':
      return {
        problem:
          'This form has already created a talk, and has been changed since. Send it again to create another one.',
        sendKey: crypto.randomUUID(),
        isAnyway: true,
      }
    case 'publisher_required':
      return { problem: 'Your role does not let you publish. Create a draft instead.' }
    case 'unknown':
      return { problem: 'It is not known whether the talk was created. Send the form again: nothing is created twice.' }
    default:
      return { problem: `Nothing is saved yet. ${toSentence(problem)}` }
  }
}

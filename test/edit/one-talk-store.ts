import { type Sent, sendChanges } from '../../src/edit/save/save-fields.ts'
import { createTalkSubject, type SentChange } from '../../src/edit/talk/save.tsx'
import type { TalkVersion } from '../../src/edit/talk/talk-version.ts'
import type { HttpCall } from '../../src/http/route.ts'
import type { Command } from '../../src/record/command.ts'
import { decide } from '../../src/record/decide.ts'
import type { WritableName } from '../../src/record/fields.ts'
import type { JsonObject } from '../../src/record/json.ts'
import { toBody, type VideoRecord } from '../../src/record/record.ts'
import type { SiteHttpDeps } from '../../src/site/site.ts'
import type { Outcome, StoredRecord } from '../../src/store/store.ts'

/** A store in memory with one talk, judged as the writer does it. */
export interface OneTalkStore {
  current(): TalkVersion
  /** Saves a change of a version, as the handler of the form does. */
  send(by: string, base: TalkVersion, changes: JsonObject): Promise<Sent<TalkVersion, SentChange>>
}

interface Version extends TalkVersion {
  readonly changed: readonly WritableName[]
}

export function createOneTalkStore(record: VideoRecord): OneTalkStore {
  const first: Version = { id: record.id, version: 1, etag: '1-aaaaaaaa', record, changed: [] }
  const versions = [first]
  const last = () => versions.at(-1) ?? first

  function execute(command: Command): Outcome {
    if (command.kind !== 'merge') throw new Error(`a form sent a command of the kind ${command.kind}`)
    const { version, record: now, etag } = last()
    const base = versions.find((each) => each.etag === command.precondition.mergeBase)
    const changedSinceBase =
      base === undefined ? null : versions.filter((each) => each.version > base.version).flatMap((each) => each.changed)
    const decision = decide({ record: now, versionTag: etag, changedSinceBase }, command, now.updated)
    if (decision.is === 'refused') return decision
    if (decision.is === 'unchanged') return { is: 'unchanged', stored: toStored(last()) }
    const next = version + 1
    versions.push({
      ...{ id: record.id, version: next, etag: `${next}-aaaaaaaa` },
      ...{ record: decision.record, changed: decision.changed },
    })
    return { is: 'stored', stored: toStored(last()), changed: decision.changed }
  }

  const store = { read: () => toStored(last()), execute: async (command: Command) => execute(command) }
  const log = { info() {}, warn() {}, error() {} }
  // True: a save needs no more than this.
  const deps = { store, log } as unknown as SiteHttpDeps
  return {
    current: last,
    send: (by, base, changes) => {
      const subject = createTalkSubject(deps, toCall(by), { id: record.id, action: 'save', isReview: false })
      return sendChanges(subject, base, changes, null)
    },
  }
}

function toStored({ id, version, etag, record }: TalkVersion): StoredRecord {
  const { state, updated } = record
  return { id, version, versionTag: etag, state, updated, body: toBody(record) }
}

function toCall(name: string): HttpCall {
  const caller = { name, role: 'publisher', tokenId: null, expiresMs: null, session: null } as const
  // True: the handler of a save asks for nothing else.
  return { signal: new AbortController().signal, caller: () => caller, requestId: () => 'r' } as unknown as HttpCall
}

import { Refused, requireRead } from '../../http/problem.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'

import { live } from '../../record/state.ts'
import type { ReadStore } from '../../store/store.ts'

const versionsPerRead = 100

/** Null if there is none, or if it is a draft. */
export async function findLiveRecord(store: ReadStore, id: number): Promise<VideoRecord | null> {
  const record = await findRecord(store, id)
  return record?.state === live ? record : null
}

/** Drafts, too. */
export async function findRecord(store: ReadStore, id: number): Promise<VideoRecord | null> {
  const stored = await store.read(id)
  return stored && fromBody(stored.body)
}

/** 410 if the record was public once, or was erased; else 404, so that a draft looks like an id that never was. */
export async function refuseTalk(store: ReadStore, id: number): Promise<never> {
  const isGone = (await wasWithdrawn(store, id)) || (await store.isErased(id))
  throw new Refused(isGone ? { code: 'gone', detail: 'This talk was withdrawn.' } : { code: 'not_found' })
}

/** Whether a draft was live before: then one of its versions took it from the public. */
async function wasWithdrawn(store: ReadStore, id: number): Promise<boolean> {
  for (let page = 1; ; page++) {
    const { lines, count } = requireRead(await store.listHistory({ id, page, pageSize: versionsPerRead }))
    if (lines.some(({ kind }) => kind === 'withdrawn')) return true
    if (page * versionsPerRead >= count) return false
  }
}

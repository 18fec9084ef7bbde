import type { Command } from '../../record/command.ts'
import type {
  BatchesQuery,
  BatchLine,
  CategoryVersion,
  CategoryVersionLine,
  ChangesPage,
  ChangesQuery,
  EventsPage,
  HistoryQuery,
  LogPage,
  VersionLine,
} from '../../store/change-log.ts'
import type {
  CategoryHistoryQuery,
  CategoryQuery,
  CategoryText,
  Failure,
  ListRequest,
  ListText,
  Outcome,
  TextPage,
  VocabularyQuery,
} from '../../store/store.ts'

/**
 * HTTP thread -> a thread of the store, one packet a tick. `number` is the sender's own; without one no answer is due.
 * Without an ask: nobody waits for this answer any more.
 */
export type PortRequest<Ask> =
  | { readonly number: null; readonly ask: Ask }
  | { readonly number: number; readonly ask: Ask | null }

/** Back again, one packet for all answers that are ready together. */
export interface PortReply<Answer> {
  readonly number: number
  readonly answer: Answer
}

export type WriterRequest =
  | { readonly is: 'command'; readonly command: Command }
  | { readonly is: 'used'; readonly token: number }
export type WriterReply = Outcome

export type QueryRequest =
  | { readonly is: 'list'; readonly request: ListRequest }
  | { readonly is: 'vocabulary'; readonly query: VocabularyQuery }
  | { readonly is: 'category'; readonly query: CategoryQuery }
  | { readonly is: 'category history'; readonly query: CategoryHistoryQuery }
  | { readonly is: 'category version'; readonly slug: string; readonly number: number }
  | { readonly is: 'history'; readonly query: HistoryQuery }
  | { readonly is: 'batches'; readonly query: BatchesQuery }
  | { readonly is: 'changes' | 'events'; readonly query: ChangesQuery }
export type QueryReply =
  | ListText
  | TextPage
  | CategoryText
  | LogPage<CategoryVersionLine>
  | CategoryVersion
  | LogPage<VersionLine>
  | LogPage<BatchLine>
  | ChangesPage
  | EventsPage
  | Failure
  | null

/** What lists may cost; each is a setting. */
export interface ListLimits {
  readonly listMs: number
  readonly maxPageBytes: number
}

/** Main -> a thread of the store. */
export type StoreOrder =
  | {
      readonly is: 'start'
      readonly path: string
      readonly versions: SharedArrayBuffer
      /** Which of several servers it is (postgres/epoch.ts). */
      readonly primary: SharedArrayBuffer
      readonly limits: ListLimits
      readonly ports: MessagePort[]
    }
  | { readonly is: 'connect'; readonly port: MessagePort }
  /** Answered by `pong`, at once unless the thread is busy. */
  | { readonly is: 'ping' }
  | { readonly is: 'stop' }

/** A thread of the store -> main. */
export type StoreNotice =
  | { readonly is: 'ready' | 'pong' | 'stopped' }
  | { readonly is: 'error'; readonly text: string }

import type { Command } from '../../record/command.ts'
import type { Paging } from '../../record/paging.ts'
import type {
  BatchLine,
  CategoryVersion,
  CategoryVersionLine,
  ChangesPage,
  ChangesQuery,
  EventsPage,
  HistoryQuery,
  LogPage,
  VersionLine,
} from '../log.ts'
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
} from '../store.ts'

/** HTTP thread -> a thread of the store, one packet a tick. `number` is the sender's own; without one no answer is due. */
export interface Request<Ask> {
  readonly number: number | null
  readonly ask: Ask
}

/** Back again, one packet for all answers that are ready together. */
export interface Reply<Answer> {
  readonly number: number
  readonly answer: Answer
}

export type WriterAsk =
  | { readonly is: 'command'; readonly command: Command }
  | { readonly is: 'used'; readonly token: number }
export type WriterAnswer = Outcome

export type QueryAsk =
  | { readonly is: 'list'; readonly request: ListRequest }
  | { readonly is: 'vocabulary'; readonly query: VocabularyQuery }
  | { readonly is: 'category'; readonly query: CategoryQuery }
  | { readonly is: 'category history'; readonly query: CategoryHistoryQuery }
  | { readonly is: 'category version'; readonly slug: string; readonly number: number }
  | { readonly is: 'history'; readonly query: HistoryQuery }
  | { readonly is: 'batches'; readonly query: Paging }
  | { readonly is: 'changes' | 'events'; readonly query: ChangesQuery }
export type QueryAnswer =
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

/** Main -> a thread of the store. */
export type StoreOrder =
  | {
      readonly is: 'start'
      readonly path: string
      readonly versions: SharedArrayBuffer
      /** Which of several servers it is (postgres/epoch.ts). */
      readonly primary: SharedArrayBuffer
      readonly ports: MessagePort[]
    }
  | { readonly is: 'connect'; readonly port: MessagePort }
  | { readonly is: 'stop' }

/** A thread of the store -> main. */
export type StoreNotice = { readonly is: 'ready' | 'stopped' } | { readonly is: 'error'; readonly text: string }

import type { Command } from '../../record/command.ts'
import type { Outcome } from '../store.ts'

/** HTTP thread -> writer, one array a tick. `number` is the sender's own. */
export type WriterRequest = { readonly number: number; readonly command: Command } | { readonly usedToken: number }

/** Writer -> HTTP thread, one array a group. */
export interface WriterReply {
  readonly number: number
  readonly outcome: Outcome
}

/** Main -> writer. */
export type WriterOrder =
  | { readonly is: 'start'; readonly path: string; readonly versions: SharedArrayBuffer; readonly ports: MessagePort[] }
  | { readonly is: 'connect'; readonly port: MessagePort }
  | { readonly is: 'stop' }

/** Writer -> main. */
export type WriterNotice = { readonly is: 'ready' | 'stopped' } | { readonly is: 'error'; readonly text: string }

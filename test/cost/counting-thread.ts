// Loaded into a thread before its own program: counts what it does, and tells whoever asks.

import { Database } from 'bun:sqlite'

export interface Costs {
  readonly thread: string
  readonly statements: number
  readonly messages: number
}

const thread = process.env.COUNTED_THREAD ?? ''
let statements = 0
let messages = 0

const runners = ['run', 'get', 'all', 'values'] as const
const seen = new WeakSet<object>()
for (const name of ['query', 'prepare'] as const) {
  const make: (this: Database, sql: string) => ReturnType<Database['query']> = Database.prototype[name]
  Object.defineProperty(Database.prototype, name, {
    value(this: Database, sql: string) {
      const statement = make.call(this, sql)
      // The same text gives the same statement again.
      if (!seen.has(statement)) for (const runner of runners) count(statement, runner)
      seen.add(statement)
      return statement
    },
  })
}

function count(statement: ReturnType<Database['query']>, runner: (typeof runners)[number]): void {
  const run = statement[runner].bind(statement)
  Object.defineProperty(statement, runner, {
    value(...args: Parameters<typeof run>) {
      statements++
      return run(...args)
    },
  })
}

const post = MessagePort.prototype.postMessage
MessagePort.prototype.postMessage = function (this: MessagePort, ...args: Parameters<typeof post>) {
  messages++
  return post.apply(this, args)
} as typeof post

const channel = new BroadcastChannel('costs')
// What the other threads tell comes here too.
channel.onmessage = ({ data }: { readonly data: unknown }) => {
  if (data === 'costs?') channel.postMessage({ thread, statements, messages } satisfies Costs)
}

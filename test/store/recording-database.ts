import { Database, type SQLQueryBindings } from 'bun:sqlite'

type Bindings = SQLQueryBindings | SQLQueryBindings[]
const runners: readonly (string | symbol)[] = ['run', 'get', 'all', 'values']

/** A database that remembers which statements were run on it. */
export class RecordingDatabase extends Database {
  readonly #ran: string[] = []

  override prepare<R, P extends Bindings>(sql: string, params?: P) {
    return this.#record(super.prepare<R, P>(sql, params), sql)
  }

  override query<R, P extends Bindings>(sql: string) {
    return this.#record(super.query<R, P>(sql), sql)
  }

  /** What was run since the last call, in order. */
  takeRan(): string[] {
    return this.#ran.splice(0)
  }

  #record<S extends object>(statement: S, sql: string): S {
    const ran = this.#ran
    return new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (runners.includes(name)) ran.push(sql)
          return value.apply(target, args)
        }
      },
    })
  }
}

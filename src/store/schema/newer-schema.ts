import { CommandFailure, exitCodes } from '../../command-failure.ts'

/** A newer program has upgraded the store beneath this one. Thrown by write transactions of both engines (decision 66). */
export class NewerSchema extends CommandFailure {
  readonly schema: number

  constructor(schema: number, known: number) {
    const found = `A newer Rostrum has upgraded the store to schema ${schema}`
    super(exitCodes.badData, `${found}; this one knows ${known}, and writes nothing more. Use the newer version.`)
    this.schema = schema
  }
}

export function refuseNewerSchema(schema: number, known: number): void {
  if (schema > known) throw new NewerSchema(schema, known)
}

/** The parameters of a URL; records which were read, so that the others can be reported as ignored. */
export class QueryParameters extends URLSearchParams {
  /** The pipeline checks `format` on every path. */
  readonly #asked = new Set(['format'])

  override get(name: string): string | null {
    this.#asked.add(name)
    return super.get(name)
  }

  override has(name: string, value?: string): boolean {
    this.#asked.add(name)
    return super.has(name, value)
  }

  override getAll(name: string): string[] {
    this.#asked.add(name)
    return super.getAll(name)
  }

  /** Names that were sent and not read, each once. */
  listIgnored(): string[] {
    return [...new Set(this.keys())].filter((name) => !this.#asked.has(name))
  }
}

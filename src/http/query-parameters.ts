/** The parameters of an address, and which of them were asked for: nobody looked at the others. */
export class QueryParameters extends URLSearchParams {
  /** The pipeline judges `format`, on every path. */
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

  /** Names that came and were not asked for, each once. */
  listIgnored(): string[] {
    return [...new Set(this.keys())].filter((name) => !this.#asked.has(name))
  }
}

/** The words and phrases of a search as they were typed, with their signs. */
export const toTypedParts = (q: string) => q.match(/-?"[^"]*"?|[^\s"]+/g) ?? []

/** Whether it is neither excluded nor a phrase. */
export const isPlain = (chunk: string) => !/^-|"/.test(chunk)

export const yearPattern = /^(?:19|20)\d\d$/

export const toCaseOf = (typed: string, name: string) => (typed === typed.toLowerCase() ? name.toLowerCase() : name)

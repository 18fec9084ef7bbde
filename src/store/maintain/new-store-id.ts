/** A new id for a store whose changes followers must not mistake for those of another (decision 37). */
export function createStoreId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
}

/** The store id in event ids, before the dot. */
export const storeIdPattern = /^[0-9a-z-]{16,64}$/

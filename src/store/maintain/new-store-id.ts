/** For a store that is another one from now on. */
export function createStoreId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
}

/** What may stand in front of the dot in the id of an event. */
export const storeIdPattern = /^[0-9a-z-]{16,64}$/

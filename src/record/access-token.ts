/** The store keeps only this hash of a key. Keys have at least 160 random bits, so a plain hash is enough. */
export function toAccessTokenHash(key: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(key).digest()
}

/** Only this hash of a token's key is kept. Keys have 160 random bits or more, so a plain hash is enough. */
export function toAccessTokenHash(key: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(key).digest()
}

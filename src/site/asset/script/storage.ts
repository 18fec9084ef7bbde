/** Browsers may refuse storage; then nothing is remembered. */
export function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function storeItem(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Nothing else depends on it.
  }
}

export function removeItem(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // It is not there.
  }
}

/** The keys that begin like this. */
export function listItems(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

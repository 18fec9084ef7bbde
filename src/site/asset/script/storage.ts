export const { readItem, storeItem, removeItem, listItems } = createItems(() => localStorage)

/** For this tab only; a duplicated tab gets a copy. */
export const tabItems = createItems(() => sessionStorage)

/** Browsers may refuse storage; then nothing is remembered. */
function createItems(open: () => Storage) {
  return {
    readItem(key: string): string | null {
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },

    /** Whether it is stored. */
    storeItem(key: string, value: string): boolean {
      try {
        open().setItem(key, value)
        return true
      } catch {
        return false
      }
    },

    removeItem(key: string): void {
      try {
        open().removeItem(key)
      } catch {
        // Then nothing is stored either.
      }
    },

    /** The keys with this prefix. */
    listItems(prefix: string): readonly string[] {
      try {
        return Object.keys(open()).filter((key) => key.startsWith(prefix))
      } catch {
        return []
      }
    },
  }
}

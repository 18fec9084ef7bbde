import { fromBody } from '../../record/json/body-bytes.ts'
import type { VideoRecord } from '../../record/record.ts'

/** The record in bytes that may have rotted; null where they are not what we write. */
export function parseStoredBody(body: Uint8Array): VideoRecord | null {
  try {
    const record = fromBody(body)
    return typeof record === 'object' && record !== null && Array.isArray(record.speakers) ? record : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

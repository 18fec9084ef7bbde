/** Feed readers show the beginning; fifty texts of 100,000 characters would be a feed of 5 MB. */
const maxLength = 2_000

/** The beginning of a text. */
export function toSummary(text: string): string {
  const trimmed = text.trim()
  return trimmed.length <= maxLength ? trimmed : `${trimmed.slice(0, maxLength)}…`
}

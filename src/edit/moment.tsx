import type { Timestamp } from '../record/timestamp.ts'
import { toMoment } from '../site/text/format.ts'

export function Moment({ at }: { readonly at: Timestamp }) {
  return <time datetime={`${at}Z`}>{toMoment(at)}</time>
}

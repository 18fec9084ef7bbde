import type { Parameter } from './operation-docs.ts'

export const recordId = toPathNumber('id', 'Identifier of the record: decimal digits without leading zeros.')

export const format: Parameter = {
  name: 'format',
  in: 'query',
  text: 'Asks for `application/json`, whatever Accept says.',
  schema: { enum: ['json'] },
}

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  text: 'The tag of the copy you have: 304 while it is still right.',
  schema: { type: 'string' },
}

export const ifModifiedSince: Parameter = {
  name: 'If-Modified-Since',
  in: 'header',
  text: 'The date of the copy you have; counts only without `If-None-Match`.',
  schema: { type: 'string' },
}

export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  text: 'The tag of the record that you changed: 412, and nothing is written, if it is no longer that one.',
  schema: { type: 'string' },
}

export const ifUnmodifiedSince: Parameter = {
  name: 'If-Unmodified-Since',
  in: 'header',
  text: 'The date of the record that you changed: 412 if it was changed later.',
  schema: { type: 'string' },
}

export const dryRun: Parameter = {
  name: 'dry_run',
  in: 'query',
  text: '1: everything is judged, nothing is stored, and the answer is what would be.',
  schema: { type: 'integer', enum: [0, 1] },
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  text: 'Your own name for this wish: sent again within a day, it gets the first answer and makes no second record.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export const changeReason: Parameter = {
  name: 'Change-Reason',
  in: 'header',
  text: 'Why, in your own words (UTF-8). It is kept with every version that the write makes.',
  schema: { type: 'string', maxLength: 500 },
}

export const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  text:
    '`merge; base="<tag>"`, the tag of the record that you changed: the change is made although the record is no ' +
    'longer that one, unless somebody has touched the same fields since (412). Counts only without `If-Match`.',
  schema: { type: 'string' },
}

export function toPathNumber(name: string, text: string): Parameter {
  return {
    name,
    in: 'path',
    text,
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  }
}

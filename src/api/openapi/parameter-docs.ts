import type { Parameter } from './operation-docs.ts'

export const recordId = toPathNumber('id', 'Id of the record, without leading zeros.')
export const versionNumber = toPathNumber('version', 'Version number, without leading zeros.')

export const format: Parameter = {
  name: 'format',
  in: 'query',
  text: 'Return `application/json`, regardless of `Accept`.',
  schema: { enum: ['json'] },
}

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  text: 'ETag of your copy. The response is 304 while the copy is current.',
  schema: { type: 'string' },
}

export const ifModifiedSince: Parameter = {
  name: 'If-Modified-Since',
  in: 'header',
  text: '`Last-Modified` of your copy. Ignored if `If-None-Match` is present.',
  schema: { type: 'string' },
}

export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  text: 'ETag of the version that your change is based on. If it is no longer current, the response is 412 and nothing is written.',
  schema: { type: 'string' },
}

export const ifUnmodifiedSince: Parameter = {
  name: 'If-Unmodified-Since',
  in: 'header',
  text: '`Last-Modified` of the version that your change is based on. Later changes make the response 412.',
  schema: { type: 'string' },
}

export const dryRun: Parameter = {
  name: 'dry_run',
  in: 'query',
  text: '1 = validate and return the result, but store nothing.',
  schema: { type: 'integer', enum: [0, 1] },
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  text: 'A key you choose for this request. Repeating the request with the same key within a day returns the first response and creates nothing new.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export const changeReason: Parameter = {
  name: 'Change-Reason',
  in: 'header',
  text: 'Why you make this change (UTF-8). Stored with every version that the request creates.',
  schema: { type: 'string', maxLength: 500 },
}

export const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  text:
    '`merge; base="<etag>"`, with the ETag of the version that your change is based on: the change is merged with later ' +
    'changes to other fields. If the same fields have changed, the response is 412. Ignored if `If-Match` is present.',
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

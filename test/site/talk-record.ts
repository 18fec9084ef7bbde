import { toDefaults, type VideoRecord } from '../../src/record/record.ts'

/** A live record with these fields. */
export function createRecord(fields: Partial<VideoRecord> = {}): VideoRecord {
  const record = {
    ...toDefaults(),
    embed: '',
    state: 1,
    id: 7,
    slug: 'a-talk',
    title: 'A talk',
    category: 'Lamplight Conf 2023',
    added: '2023-06-20T12:00:00Z',
    updated: '2023-06-20T12:00:00Z',
    ...fields,
  }
  // The defaults and the fields above are all that a record has.
  return record as VideoRecord
}

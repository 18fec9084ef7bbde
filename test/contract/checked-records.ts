import { expect } from 'bun:test'
import { checkEveryAnswer } from './every-answer.ts'
import { type Fields, parseFields, type Role, type Service } from './service.ts'

export const address = 'https://files.example.org/'

/** The fields of a record in which nothing is to be found. */
export const whole = {
  ...{ title: 'A talk', language: 'English', recorded: '2020-01-10', duration: 600, speakers: ['Ada'], tags: ['x'] },
  ...{ summary: 'Short.', description: 'Long.', thumbnail_url: `${address}1.png`, copyright_text: 'CC BY' },
  ...{ video_mp4_url: `${address}1.mp4`, embed: `<a href="${address}">Look</a>` },
}

export interface Finding {
  readonly code: string
  readonly field: string
  readonly detail: string
}

/** Records to find something in. */
export function createChecked(service: Service) {
  let count = 0
  return {
    /** A whole record in a category of its own, with a video of its own. */
    create(fields: Fields = {}): Promise<Fields> {
      const number = ++count
      return service.create({ ...whole, category: `Event ${number}`, source_url: `${address}${number}`, ...fields })
    },
    async get(path: string, as: Role = 'reader'): Promise<Fields> {
      const call = { method: 'GET', path, as }
      const answer = await service.call(call)
      expect([path, answer.status]).toEqual([path, 200])
      checkEveryAnswer(call, answer)
      return parseFields(answer)
    },
    patchCategory: (slug: unknown, json: Fields) =>
      service.call({ method: 'PATCH', path: `/api/v2/category/${slug}`, as: 'admin', json }),
  }
}

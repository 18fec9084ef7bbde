import type { Call } from '../http/route.ts'
import type { Parameters, Urls } from '../site/urls.ts'

/** Urls of a talk's pages for curators. Each keeps the work list that the person came from. */
export interface TalkPages {
  /** The list as an address has it; null outside of a list. */
  readonly list: string | null
  readonly edit: string
  readonly links: string
  readonly preview: string
  history(parameters?: Parameters): string
  compare(parameters?: Parameters): string
  version(number: number): string
}

export function toTalkPages(urls: Urls, id: number, list: string | null): TalkPages {
  return {
    list,
    edit: urls.edit(id, { list }),
    links: urls.links(id, { list }),
    preview: urls.preview(id, { list }),
    history: (parameters = {}) => urls.history(id, { ...parameters, list }),
    compare: (parameters = {}) => urls.compare(id, { ...parameters, list }),
    version: (number) => urls.version(id, number, { list }),
  }
}

/** The work list in an address; null if the person did not come from one. */
export const readList = (call: Call) => call.query().get('list') || null

/** The pages of the talk that is open. */
export function readTalkPages(call: Call<'id'>, urls: Urls): TalkPages {
  return toTalkPages(urls, Number(call.params.id), readList(call))
}

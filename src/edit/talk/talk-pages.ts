import type { Call } from '../../http/route.ts'
import type { UrlParameters, Urls } from '../../site/urls.ts'
import { readList } from '../lists/list-place.ts'

/** URLs of the pages about one talk. Each keeps the work list in which the talk was opened. */
export interface TalkPages {
  /** The name of the list, as in the URL; null outside a list. */
  readonly list: string | null
  readonly edit: string
  readonly links: string
  readonly preview: string
  history(parameters?: UrlParameters): string
  compare(parameters?: UrlParameters): string
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

/** The pages of the talk that is open. */
export function readTalkPages(call: Call<'id'>, urls: Urls): TalkPages {
  return toTalkPages(urls, Number(call.params.id), readList(call))
}

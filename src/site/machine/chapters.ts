import type { Call, TextAnswer } from '../../http/route.ts'
import { listEnds, toChapterVtt } from '../../record/companion/chapters.ts'
import { toAsciiJson } from '../../record/json.ts'
import { openSite, respondText, type SiteDeps, toAbsolute } from '../site.ts'
import { findChapters, findLiveRecord, refuseTalk } from '../talk/talk.ts'

export const chaptersJsonType = 'application/json+chapters'

/** `/video/<id>/chapters.vtt`: for players. */
export async function showChaptersVtt(call: Call<'id'>, { store }: SiteDeps): Promise<TextAnswer> {
  const { chapters, duration } = await findAll(call, store)
  return respondText(call, { text: toChapterVtt({ chapters }, duration), type: 'text/vtt; charset=utf-8' })
}

/** `/video/<id>/chapters.json`: chapters of Podcasting 2.0. A part with a page of its own has its address. */
export async function showChaptersJson(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const { chapters, duration, title } = await findAll(call, deps.store)
  const site = await openSite(call, deps)
  const ends = listEnds(chapters, duration)
  const entries = chapters.map((chapter, i) => ({
    ...{ startTime: chapter.start, title: chapter.title },
    ...(ends[i] == null ? {} : { endTime: ends[i] }),
    ...(chapter.page === null ? {} : { url: toAbsolute(site, site.urls.video(chapter.page)) }),
  }))
  return respondText(call, {
    text: toAsciiJson({ version: '1.2.0', title, chapters: entries }),
    type: chaptersJsonType,
  })
}

async function findAll({ params }: Call<'id'>, store: SiteDeps['store']) {
  const id = Number(params.id)
  const { title, duration } = (await findLiveRecord(store, id)) ?? (await refuseTalk(store, id))
  return { title, duration, chapters: await findChapters(store, id) }
}

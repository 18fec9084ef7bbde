import { type Fields, fail, type Service } from './service.ts'

const youTube = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const file = 'https://files.example.org/talk'

/** A dozen records whose place in any list can be told by hand; each title is its name. */
const talks: readonly Fields[] = [
  {
    title: 'Apple',
    category: 'PyCon 2012',
    language: 'English',
    speakers: ['Zoë Ångström', 'Ada Lovelace'],
    tags: ['Web', 'Café society'],
    recorded: '2012-03-09',
    duration: 1800,
    video_mp4_url: `${file}.mp4`,
    thumbnail_url: `${file}.png`,
    source_url: youTube,
  },
  {
    title: 'banana',
    category: 'PyCon 2012',
    language: 'English',
    speakers: ['Ada Byron'],
    tags: ['web', 'webassembly'],
    recorded: '2012-03-09',
    duration: 600,
    video_mp4_url: `${file}.mp4`,
    video_webm_url: `${file}.webm`,
  },
  { title: 'Čherry', category: 'PyCon 2012', language: 'German', recorded: '2012-03-10', duration: 0 },
  { title: 'date', category: 'EuroPython', language: 'Norwegian Bokmål', recorded: '1999-12-31', duration: 3600 },
  { title: 'Elderberry', category: 'EuroPython', tags: ['data'], speakers: ['Łukasz Ødegård'], recorded: '2024-02-29' },
  { title: 'fig', category: 'EuroPython', video_ogv_url: `${file}.ogv`, duration: 1801, tags: ['100%_sure'] },
  { title: 'Grape', category: 'EuroPython', video_flv_url: `${file}.flv`, video_mp4_url: '', duration: 1799 },
  { title: 'honeydew', category: 'europython', embed: `<a href="${file}">Look</a>`, recorded: '2012-03-08' },
  { title: 'Iyokan', category: 'みかん', language: 'Japanese', speakers: ['山田太郎'], tags: ['柑橘'] },
  { title: 'Jackfruit', category: 'PyCon 2012', state: 2, language: 'English', speakers: ['Ada Draft'], duration: 60 },
  { title: 'Kumquat', category: 'Drafts only', state: 2, tags: ['secret'], recorded: '2031-01-01', source_url: file },
]

export const live = talks.filter(({ state }) => state !== 2).map(({ title }) => String(title))
export const drafts = talks.filter(({ state }) => state === 2).map(({ title }) => String(title))

/** Makes the records one after the other, so that ids and times go up in the order of the list. */
export async function createTalks(service: Service, wanted: readonly Fields[] = talks): Promise<readonly Fields[]> {
  const made: Fields[] = []
  for (const fields of wanted) {
    made.push(await service.create(fields))
    await Bun.sleep(2)
  }
  return made
}

/** Many records at once: their ids are in no certain order. */
export async function createMany(service: Service, wanted: readonly Fields[]): Promise<readonly Fields[]> {
  const made: Fields[] = []
  const rest = [...wanted]
  const work = async () => {
    for (let fields = rest.shift(); fields !== undefined; fields = rest.shift()) made.push(await service.create(fields))
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return made.length === wanted.length ? made : fail(`${made.length} of ${wanted.length} records were made`)
}

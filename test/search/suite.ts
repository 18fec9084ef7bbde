/** Records by a short name, and what each query finds among them: the same on every engine. */
export type Talk = {
  readonly title: string
  readonly category?: string
  readonly speakers?: readonly string[]
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
}

export const talks = {
  threads: {
    title: 'Threads in Python',
    category: 'PyCon 2012',
    speakers: ['Guido Example', 'Søren Kierkegård'],
    tags: ['concurrency', 'GIL'],
    summary: 'What the global interpreter lock does.',
    description: 'A talk about threading, locks and queues. State-of-the-art answers, e.g. "it depends".',
  },
  asyncio: {
    title: 'Coroutines and event loops',
    category: 'PyCon 2013',
    speakers: ['Łukasz Żółty', 'Nguyễn Thị Ánh'],
    tags: ['async', 'python'],
    summary: 'Waiting without threads.',
    description: 'From callbacks to async and await. Python 3.14 and C++ compared; node.js, too.',
  },
  cooking: {
    title: 'Cooking with the Straße',
    category: 'Österreich',
    speakers: ['İbrahim Işık', 'John Smith'],
    tags: ['food'],
    summary: 'Crème brûlée, naïve soufflés.',
    description: 'The reader learns to cook. Filmed in HD at 1080p.',
  },
  greek: { title: 'Ο Οδυσσεύς και οι λόγος', speakers: ['ΣΟΦΟΣ'], summary: 'Ομηρικά έπη' },
  russian: { title: 'Ёлка и ёж: Йод', speakers: ['Фёдор Достоевский'], summary: 'Всё о базах данных' },
  chinese: { title: '数据库系统概论', speakers: ['王小明'], summary: '北京大学的公开课。机器学习入门' },
  japanese: { title: 'データベース入門', speakers: ['山田太郎'], summary: '東京でのPython勉強会、がんばる' },
  korean: { title: '한국어 자연어 처리', speakers: ['김철수'], summary: '파이썬으로 배우는 데이터베이스' },
  thai: { title: 'การเขียนโปรแกรมภาษาไพทอน', speakers: ['สมชาย'], summary: 'เรียนรู้ฐานข้อมูล' },
  arabic: { title: 'مُقَدِّمَة في قواعد البيانات', speakers: ['أحمد'], summary: 'لغة بايثون' },
  hebrew: { title: 'שָׁלוֹם עולם', speakers: ['דוד כהן'], summary: 'מסדי נתונים' },
  hindi: { title: 'हिन्दी में पाइथन', speakers: ['राम'], summary: 'डेटाबेस की मूल बातें' },
  long: { title: `Long ${'x'.repeat(200)}`, description: `${'verylong'.repeat(60)} end` },
  numbers: { title: 'Talk 42 of 1,000', tags: ['3d', 'π'], description: 'IPv6, 2001:db8::1, ½ and x² — v1.2.3_beta' },
  hostile: { title: 'AND OR NOT NEAR(a b) title:x', description: '\'; DROP TABLE record; -- * ^ ( ) { } "quoted"' },
} as const satisfies Readonly<Record<string, Talk>>

type TalkName = keyof typeof talks
export type Case = readonly [query: string, found: readonly TalkName[]]

const everything: readonly TalkName[] = ['threads', 'asyncio', 'cooking', 'greek', 'russian', 'chinese', 'japanese']
const rest: readonly TalkName[] = ['korean', 'thai', 'arabic', 'hebrew', 'hindi', 'long', 'numbers', 'hostile']
const allBut = (...some: readonly TalkName[]) => [...everything, ...rest].filter((name) => !some.includes(name))

export const words: readonly Case[] = [
  ['threads', ['threads', 'asyncio']],
  ['THREADS', ['threads', 'asyncio']],
  ['threads python', ['threads', 'asyncio']],
  ['threads waiting', ['asyncio']],
  ['waiting threads coroutines łukasz', ['asyncio']],
  ['guido', ['threads']],
  ['gil', ['threads']],
  ['interpreter', ['threads']],
  ['queues', ['threads']],
  ['pycon', ['threads', 'asyncio']],
  ['2013', ['asyncio']],
  ['thr', ['threads', 'asyncio']],
  ['t', ['threads', 'asyncio', 'cooking', 'numbers', 'hostile']],
  ['reads', []],
  ['hreads', []],
  ['threads nowhere', []],
  ['cook', ['cooking']],
  ['state of the art', ['threads']],
  ['state-of-the-art', ['threads']],
  ['e.g.', ['threads']],
  ['threads, locks; queues!', ['threads']],
]

export const phrases: readonly Case[] = [
  ['"event loops"', ['asyncio']],
  ['"Event LOOPS"', ['asyncio']],
  ['"loops event"', []],
  ['"global interpreter lock"', ['threads']],
  ['"global lock"', []],
  ['"event loop"', []],
  ['"event loops" łukasz', ['asyncio']],
  ['"event loops" guido', []],
  ['"john smith"', ['cooking']],
  ['"event loops', ['asyncio']],
  ['"creme brulee"', ['cooking']],
  ['"threads" "python"', ['threads', 'asyncio']],
  // A phrase stands within one speaker or one tag, not across two.
  ['"işık john"', []],
  ['"async python"', []],
]

export const exclusions: readonly Case[] = [
  ['python -threads', ['japanese']],
  ['pycon -2012', ['asyncio']],
  ['pycon -"event loops"', ['threads']],
  ['pycon -"loops event"', ['threads', 'asyncio']],
  ['pycon -thr', []],
  ['-pycon', allBut('threads', 'asyncio')],
  ['-pycon -long', allBut('threads', 'asyncio', 'long')],
  ['-nowhere', allBut()],
  ['pycon -', ['threads', 'asyncio']],
  ['pycon - 2012', ['threads']],
  ['threads -"', ['threads', 'asyncio']],
  ['--pycon', allBut('threads', 'asyncio')],
]

export const accents: readonly Case[] = [
  ['soren kierkegard', ['threads']],
  ['SØREN KIERKEGÅRD', ['threads']],
  ['lukasz zolty', ['asyncio']],
  ['ŁUKASZ ŻÓŁTY', ['asyncio']],
  ['nguyen thi anh', ['asyncio']],
  ['Nguyễn', ['asyncio']],
  ['Nguye\u0302\u0303n', ['asyncio']],
  ['strasse', ['cooking']],
  ['straße', ['cooking']],
  ['STRAẞE', ['cooking']],
  ['ibrahim isik', ['cooking']],
  ['IBRAHIM IŞIK', ['cooking']],
  ['İBRAHİM ışık', ['cooking']],
  ['osterreich', ['cooking']],
  ['creme brulee naive souffles', ['cooking']],
  ['ｃｒｅｍｅ', ['cooking']],
  ['οδυσσευς', ['greek']],
  ['ΟΔΥΣΣΕΥΣ', ['greek']],
  ['λογοσ', ['greek']],
  ['ΛΟΓΟΣ', ['greek']],
  ['σοφος', ['greek']],
  ['επη', ['greek']],
  ['елка', ['russian']],
  ['ЁЛКА', ['russian']],
  ['федор', ['russian']],
  ['йод', ['russian']],
  ['все о базах', ['russian']],
  ['баз', ['russian']],
]

export const scripts: readonly Case[] = [
  ['数据库', ['chinese']],
  ['据库', ['chinese']],
  ['数', ['chinese']],
  ['论', ['chinese']],
  ['数据库 北京', ['chinese']],
  ['大学公开', []],
  ['"系统概论"', ['chinese']],
  ['王小明', ['chinese']],
  ['库系数', []],
  ['入門', ['japanese']],
  ['入门', ['chinese']],
  ['データベース', ['japanese']],
  ['ﾃﾞｰﾀﾍﾞｰｽ', ['japanese']],
  ['ベース', ['japanese']],
  ['テータヘース', []],
  ['山田', ['japanese']],
  ['がんばる', ['japanese']],
  ['かんばる', []],
  ['python勉強', ['japanese']],
  ['勉強会 python', ['japanese']],
  ['한국어', ['korean']],
  ['한국', ['korean']],
  ['데이터', ['korean']],
  ['\u1112\u1161\u11ab\u1100\u116e\u11a8', ['korean']],
  ['국어', []],
  ['김철수 처리', ['korean']],
  ['โปรแกรม', ['thai']],
  ['ภาษา', ['thai']],
  ['สมชาย', ['thai']],
  ['ฐานข้อมูล', ['thai']],
  ['مقدمة', ['arabic']],
  ['مُقَدِّمَة', ['arabic']],
  ['البيانات', ['arabic']],
  ['احمد', ['arabic']],
  ['بايثون لغة', ['arabic']],
  ['שלום', ['hebrew']],
  ['שָׁלוֹם', ['hebrew']],
  ['כהן', ['hebrew']],
  ['हिन्दी', ['hindi']],
  ['पाइथन', ['hindi']],
  ['पाइ', ['hindi']],
  ['डेटाबेस बातें', ['hindi']],
  ['पइथन', []],
]

export const oddities: readonly Case[] = [
  ['42', ['numbers']],
  ['4', ['numbers']],
  ['1000', []],
  ['1,000', ['numbers']],
  ['3.14', ['asyncio']],
  ['1080p', ['cooking']],
  ['ipv6', ['numbers']],
  ['2001:db8::1', ['numbers']],
  ['v1.2.3_beta', ['numbers']],
  ['π', ['numbers']],
  ['x2', ['numbers']],
  ['c++ compared', ['asyncio']],
  ['"C++ compared"', ['asyncio']],
  ['node.js', ['asyncio']],
  ['x'.repeat(190), ['long']],
  ['x'.repeat(63), ['long']],
  [`${'verylong'.repeat(20)}`, ['long']],
  [`long ${'y'.repeat(190)}`, []],
  ['AND', ['asyncio', 'numbers', 'threads', 'hostile']],
  ['NEAR(a b)', ['hostile']],
  ['title:x', ['hostile']],
  ['title : x', ['hostile']],
  ['"quoted"', ['hostile']],
  ["'; drop table record; --", ['hostile']],
  ['drop* table^', ['hostile']],
  ['{title speakers} : x', []],
  ['!!!', []],
  ['"', []],
  ['""', []],
  ['-', []],
  ['💡', []],
  ['"" - * ( ) ^', []],
  ['NOT', ['hostile']],
]

/** Where it is clear which comes first. */
export const ranking: readonly { readonly query: string; readonly records: readonly Talk[] }[] = [
  {
    query: 'zeppelin',
    records: [
      { title: 'The zeppelin' },
      { title: 'Tagged', tags: ['zeppelin'] },
      { title: 'Described', description: 'A flight in a zeppelin.' },
    ],
  },
  {
    query: 'quokka',
    records: [
      { title: 'Spoken', speakers: ['Anna Quokka'] },
      { title: 'Summed up', summary: 'About a quokka.' },
    ],
  },
  {
    query: 'wombat farming',
    records: [{ title: 'Wombat farming' }, { title: 'Wombat', description: 'And farming.' }],
  },
]

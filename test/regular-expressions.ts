/** Text made to be slow to match. What is in «» is repeated as often as wanted; what follows it fits nowhere. */
export type Hostile = string

/** No text that reaches it is longer than this: fixed by a limit that is judged before. */
interface Bounded {
  readonly hostile: readonly Hostile[]
  readonly maxLength: number
  readonly why: string
}

/**
 * Every regular expression of src/ that repeats something without a bound, as it is written there. Each must take time
 * that grows no faster than its input; each meets its own hostile texts and those that all of them meet.
 */
export const listed: { readonly [pattern: string]: readonly Hostile[] | Bounded } = {
  // Names that look like several people
  '/[,;&/|+、，；]| (?:and|with|und|et|y|e|en|og|och|i|и|та) /iu': ['« and»', '« »x'],
  '/\\s*[;|、，；]\\s*/u': {
    hostile: ['« »x'],
    maxLength: 255,
    why: 'a name of a record has at most 255 characters',
  },
  '/\\s+\\/\\s+|(?<=\\p{L}{2} \\p{L}{2,255})\\/(?=\\p{L}{2,255} \\p{L}{2})/u': {
    hostile: ['« »x', '«ab »/'],
    maxLength: 255,
    why: 'a name of a record has at most 255 characters',
  },
  '/,?\\s+(?:and|with|&|\\+)\\s+/iu': {
    hostile: ['« »x'],
    maxLength: 255,
    why: 'a name of a record has at most 255 characters',
  },
  '/\\s+(?:und|et|y|e|en|og|och|i|и|та)\\s+/iu': {
    hostile: ['« »x'],
    maxLength: 255,
    why: 'a name of a record has at most 255 characters',
  },
  '/\\s*,\\s*/u': {
    hostile: ['« »x'],
    maxLength: 255,
    why: 'a name of a record has at most 255 characters',
  },
  '/\\s*[([][^)\\]]{0,255}[)\\]]|\\s*(?:\\.{3}|…)$/gu': {
    hostile: ['« »x', '«(»x'],
    maxLength: 255,
    why: 'a name of a record has at most 255 characters',
  },
  '/[\\s.]+/u': ['« »x', '«. »'],

  // Tables, and the forms of names
  '/^([a-z]+(?: all)?)(?: (\\d{1,3}))?$/': ['«a»!', '«a» all!'],
  '/^https?:\\/\\/[^\\s,;"]+(?:\\s|$)/i': ['http://«a»,', 'http://«a»"'],
  '/[\\r\\n]+/': ['«\n»x', '«\na»'],
  '/[\\s_]+/g': ['«_ »', '« »x'],
  "/^'*[=+\\-@\\t\\r\\n]/": ["«'»x"],
  "/^'+[=+\\-@\\t\\r\\n]/": ["«'»x"],
  '/[\\s-]+/u': ['«- »', '«-»x'],
  '/^\\p{Lu}{4,}$/u': ['«A»a'],
  '/^\\p{Lu}{2,}\\p{Ll}/u': ['«A»!'],
  '/^[a-z]+(?<!s|u|i|[^aeiou]o)s$/': ['«s»', '«as»!', '«a»!'],
  '/-?"[^"]*"?|[^\\s"]+/g': ['«"»', '«-"»', '«a"»'],

  // Settings and backups
  '/^\\s*(?:#|$)/': ['« »x'],
  '/^\\s*([a-z][a-z-]*)\\s*=\\s*(.*?)\\s*$/': {
    hostile: ['a«-»', 'a=«a »\u2028', 'a« »x'],
    maxLength: 4_000,
    why: 'a line of the configuration file, written by whoever runs the service',
  },
  '/[-:]|\\.\\d+/g': ['.«1»', '«.»'],

  // Names that look alike
  '/^[a-z]+(?: [a-z]+)*$/': ['«a»!', '«a »!', 'a«a »'],
  '/[\\p{L}\\p{N}\\p{M}\\p{S}#&@%*]+/gu': ['«a»', '«a-»', '«#»'],

  // Addresses and their parts
  '/^\\/+api\\/+v?\\d/': ['/«/»api', '/api«/»x'],
  '/^\\/+api\\/+v2(?:[/?]|$)/': ['/«/»api', '/api«/»v2x'],
  '/^\\/+api(?:\\/|$)/': ['/«/»apx', '«/»api'],
  '/^\\/+edit(?:\\/|$)/': ['/«/»edx', '«/»edit'],
  '/[^\\p{L}\\p{N}\\p{M}]+/u': ['«-»', '«a-»', '«-»a'],
  '/^(\\w+)-[0-9a-f]{8}\\.(\\w+)$/': ['«a»-', '«a-»', 'a-12345678.«a»!'],
  '/^https?:\\/\\/[^\\s/?#\\\\]\\S*$/i': ['http://a«a» '],
  '/^\\/(?:.+\\/)?(\\d{1,20})(?:\\/[0-9a-f]+)?\\/?$/': ['/«1/»x', '/«/a1»/x', '/«1»x'],
  '/[?&]clip_id=(\\d+)/': ['«?clip_id=»', '?clip_id=«1»x'],
  '/^https?:\\/\\/[^\\s?#]+$/i': ['http://«a»#'],
  '/^https?:\\/\\/([^/]+)$/i': ['http://«a»/', 'http://«:»/'],
  '/^https?:\\/\\/([^/?#\\\\]*)/i': ['http://«a»', 'http://«:»?'],
  '/^([a-z]+:\\/\\/)([\\s\\S]*)$/i': ['«a»'],
  '/\\?[\\s\\S]*$/': ['«?»\n'],
  '/:(?!\\d{1,5}(?:[,/]|$))[^,/\\]]*(?=[,/]|$)/g': {
    hostile: ['«:»]'],
    maxLength: 4_000,
    why: 'the address of a database, set by whoever runs the service',
  },
  '/^postgres(?:ql)?:\\/\\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)\\/([^/?#]+)(?:\\?([^#]*))?$/i': [
    'postgres://«a»#',
    'postgres://«:»#',
    'postgres://a/«b»/',
  ],
  '/^(?:\\[([0-9a-f:.]+)\\]|([^:[\\]\\s]+))(?::(\\d{1,5}))?$/i': ['[«:»', '«a» '],
  'new RegExp(`^(${label}(?:\\\\.${label})*\\\\.?)(?::(\\\\d{1,5}))?$`)': ['«a.»!', '«a-»!', '«a»!'],
  '/^(\\[[0-9A-Fa-f:.]+\\])(?::(\\d{1,5}))?$/': ['[«:»!'],
  '/:(\\w+)/g': ['«:a»', ':«a»!'],
  '/\\{(\\w+)\\}/g': ['«{a»', '{«a»'],
  '/\\/+$/': {
    hostile: ['«/»x'],
    maxLength: 8_000,
    why: 'an address that is set on the command line or by the program that uses the client',
  },
  '/^--([a-z][a-z-]*)(=([\\s\\S]*))?$/': ['--«a»!', '--a=«-»'],
  '/^\\[(.*)\\]$/': ['[«a»\n', '«[»'],
  '/^[^\\s/]+$/': ['«a»/'],
  '/^[a-z]{2,}:\\/\\//i': ['«a»'],
  '/^[A-Za-z0-9_-]{20,}$/': ['«a»!'],
  '/^[a-z0-9._+-]{1,64}@([^\\s:@]{1,253})$/i': ['«a»@', 'a@«a»@', '«a@»'],

  // Texts of pages
  '/[\\s\\p{Cc}]+/gu': ['« »', '«a »', '«\n»a'],
  '/[\\\\`*_[\\]<>|~#]|&(?=[#A-Za-z])/g': ['«*»', '«&»', '«&a»'],
  '/[^\\w.*-]/': ['«a»'],
  '/\\/\\*[^*]*(?:\\*(?!\\/)[^*]*)*\\*\\//g': {
    hostile: ['/*«*»', '«/*»', '/*«a*»'],
    maxLength: 100_000,
    why: 'style sheets of our own',
  },
  '/^[^\\S\\n]{0,9}([=~^*#_+-])\\1{2,300}[^\\S\\n]{0,9}$/gm': ['«=»x', '«= »', '«\n=»', '« »='],
  '/^[^\\S\\n]{0,9}[*+-] /gm': ['« »', '«\n »', '«*»'],
  '/\\*{2,3}|`{1,3}_{0,2}/g': ['«*»', '«`»', '«`_»'],

  // Heads
  '/[ \\t]*(?:([!#$%&\'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&\'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*)?([,;]|$)/y':
    ['« »!', '«a»', 'for=«a»"', 'for="«a»', 'for="«\\\\»', 'for=a« »!', '«for=»', '«"»'],
  '/^(?:token|bearer) +([A-Za-z0-9_-]+)$/i': ['token« »!', 'token «a»!'],
  '/^"(.+)\\.(?:html|json)"$/': ['"«.html»!', '"«.»"'],
  '/^\\s*(?:W\\/)?"[^"\\s]*"\\s*(?:,\\s*(?:(?:W\\/)?"[^"\\s]*"\\s*)?)*$/': [
    '« »!',
    '"a"«, »!',
    '"a"«,  »!',
    '"a"« , "b" »!',
    '"a"«,"b"»!',
    '"a",« »!',
    '"a"« »!',
    '"«a»',
  ],
  '/(W\\/)?("[^"]*")/g': ['«W/»', '"«a»', '«"»a'],
  '/^[A-Z][a-z]{2,8},? .*\\d{2}:\\d{2}:\\d{2}/': ['Mon, «00:00:0»x', 'Mon, «0»x'],
  "/^([\\w!#$%&'*+.^`|~-]+)\\/([\\w!#$%&'*+.^`|~-]+)$/": ['«a»!(', 'a/«a»/'],
  '/^q\\s*=/i': ['q« »x'],
  '/^q\\s*=\\s*/i': ['q« »x', 'q=« »x'],
  '/^([^\\s=;,"]+)(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;,"]*)))?$/': [
    '«a» ',
    'a« »!',
    'a=« »;',
    'a="«\\a»',
    'a="«a»',
    'a=«a»;',
  ],
  '/(?:[^,"]|"(?:[^"\\\\]|\\\\.)*"?)+/g': ['«"»', '"«\\"»', '«"\\»', '«a"»\\'],
  '/(?:[^;"]|"(?:[^"\\\\]|\\\\.)*"?)+/g': ['«"»', '"«\\"»', '«"\\»', '«a"»\\'],

  // Bodies and fields
  '/-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?/y': ['1«0».', '0.«0»e', '1e«1»x'],
  '/^-?\\d+$/': ['-«1»x'],
  '/^<object width="640" height="390"><param name="movie" value="([^"<>]+)">/': [
    '<object width="640" height="390"><param name="movie" value="«a»<',
  ],
  '/[ \\t\\n\\r\\f]+/': ['« »a', '« a»'],
  '/^([a-z]+) ?: ?([^:]+)$/': ['«a»!', 'a: «a»:'],
  '/[\\p{L}\\p{N}\\p{M}\\u00ad\\u200c\\u200d]+/gu': ['«é»!', '«a »'],
  '/(?:\\+\\+|#)$/': ['«+»a', '«#»a'],
  '/[\\p{L}\\p{N}\\p{M}]+/gu': ['«é»!', '«a »'],
  '/[^a-z0-9]+/g': ['«-»a', '«-a»'],
  '/[^a-z0-9]+/': ['«-»a', '«-a»'],
  '/[^\\p{L}\\p{N}\\p{M}]+/gu': ['«-»a', '«-a»'],
  '/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]+/gu':
    ['«あ»!', '«あa»'],
  '/\\S+/g': ['«a» ', '«a »'],
  '/[a-z0-9]+/g': ['«a»-', '«a-»'],
  '/[\\p{L}\\p{N}\\p{M}][\\p{M}\\p{Script=Inherited}\\u00ad\\u1160-\\u11ff\\ud7b0-\\ud7ff\\u314f-\\u3163\\uff9e\\uff9f\\uffa0-\\uffdc]*|./gsu':
    ['a«\u0301»b', '«a\u0301»'],
  '/[.!?…]["\'”’»)\\]]?\\s+|[。！？]|\\n\\n\\s*/': ['«.»a', '«."»a', '.« »a'],
  '/[<>&\\u0080-\\uffff]+/g': ['«<»a', '«é»a', '«<a»'],
  '/^[\\u0000-\\u007f]*$/': ['«a»é'],
  '/(-?)(?:"([^"]*)"?|([^\\s"]+))/g': ['«-» ', '«"»a', '«-"»', '«- »'],
  '/^\\d+$/': ['«1»x'],
  '/^cell\\.\\d+\\.\\d+$/': ['cell.«1»x', 'cell.1.«1»x'],
  '/^[a-z0-9]+(?:-[a-z0-9]+)*$/': ['«a-»!', '«a»!', 'a«-a»-'],

  // Files that come in, go out, or are looked at
  '/^(?!\\.\\.?\\/)[^/\\0]+\\/(?:videos\\/)?(?!\\.\\.?$)[^/\\0]+\\.json$/': ['a/«.json»x', 'a/videos/«a»/', '«a»\0'],
  '/\\s+/g': ['« »a', '« a»'],

  '/^[\\w@%+=:,./-]+$/': ['«a»!'],
  '/^\\.(?:\\d+\\.[0-9a-f]{8}\\.new|before-restore-\\w+)$/': ['.«1»x', '.before-restore-«a»!'],

  // What the kernel tells of us and of our callers
  '/^Max open files +(\\d+)/m': ['Max open files« »x', '«\nMax open files »'],
  '/^(?:::ffff:)?(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/i': ['«1»x', '1.«1»x', '«1.»x'],
  '/\\s+/': ['« »a', '« a»'],
  '/^\\s*0\\s+0\\s+4294967295\\s*$/': ['« »x', ' 0« »x', '0 0 4294967295« »x'],

  // Statements and what PostgreSQL says
  '/^CREATE (?:UNIQUE )?(TABLE|INDEX|FUNCTION|TRIGGER) (\\w+)/gm': ['CREATE TABLE «a»!', '«\nCREATE »'],
  '/^(\\d+) (\\d+)$/': ['«1»x', '1 «1»x'],
  '/\\?(\\d*)/g': ['«?»', '?«1»x'],
  '/\\$([a-z]\\w*)/gi': ['«$»', '$«a»!', '«$a»'],

  // In the reader's own browser, on answers of this service
  '/("(?:[^"\\\\]|\\\\.)*"?)(\\s*:)?|\\b(?:true|false|null)\\b|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?/g': [
    '«"\\»',
    '"a"« »x',
    '«-»x',
    '"«\\"»',
  ],
  '/^\\s*[[{]/': ['« »x'],
  '/(?<![\\w*])\\*([^\\s*][^*\\n]{0,200})\\*(?![\\w*])/g': ['«*a»', '« *»', '*«a»'],
  '/\\n\\s*\\n/': {
    hostile: ['«\n»x', '« \n »x'],
    maxLength: 10_000,
    why: 'descriptions of operations, which are ours',
  },
}

/** What all of them meet. */
const repeatedByAll = [...'aA0 \t\n.,:;/-_"\'\\<>=?&#%@~+*()[]{}\0é', 'a ', 'a.', '0.', 'a-', '/a', '","', '\\"', ' ,']
export const metByAll: readonly Hostile[] = repeatedByAll.flatMap((each) => [`«${each}»\u0001`, `«${each}»`])

export function toText(hostile: Hostile, length: number): string {
  const [begin = '', repeated = '', end = ''] = hostile.split(/[«»]/)
  return `${begin}${repeated.repeat(length / repeated.length)}${end}`
}

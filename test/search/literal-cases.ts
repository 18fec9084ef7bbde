import type { Talk } from './suite.ts'

/** Titles that differ in signs only, or in what signs separate. */
export const literalTalks: readonly Talk[] = [
  ...['C++ templates in depth', 'Modern C++17 features', 'The C programming language', 'C# for game developers'],
  ...['F# on the web', 'F strings explained', '.NET memory model', 'ASP.NET Core in production', 'Net neutrality'],
  ...['The asp and other snakes', 'Core strength', 'node.js streams', 'NodeJS at scale', 'Trees and their node'],
  ...['Charts in JS', 'What is new in Python 3.12', 'The release of Python 3.1', '12 tips for speakers'],
  ...['Chapter 3 of 12 monkeys', 'Why e-mail is hard', 'Email servers', 'Sending mail', 'E for effort'],
  ...['Full-text search', 'Fulltext engines', 'Full text everywhere', 'A text that is full of holes'],
  ...["Don't panic", 'Dont repeat yourself', 'Don Quixote', 'OReilly books', 'Reilly and friends', 'TCP/IP in a day'],
  ...[
    'Slides at www.slideshare.net',
    'How authorize.net works',
    'TCP tuning',
    'A/B tests',
    'CI and CD',
    'CI/CD pipelines',
    'Python2 farewell',
    'Version v1.2.3 is out',
  ],
].map((title) => ({ title }))

export const literalSpeakers: readonly Talk[] = [{ title: 'An evening of books', speakers: ["Tim O'Reilly"] }]

/** What comes before all others, in any order, and what is not found at all. */
type LiteralCase = readonly [query: string, first: readonly string[], never?: readonly string[]]

const [cpp, cpp17] = ['C++ templates in depth', 'Modern C++17 features']
const [c, cSharp] = ['The C programming language', 'C# for game developers']
const [dotNet, aspNet] = ['.NET memory model', 'ASP.NET Core in production']
const [nodeJs, nodejs] = ['node.js streams', 'NodeJS at scale']
const emails = ['Why e-mail is hard', 'Email servers']
const fullTexts = ['Full-text search', 'Fulltext engines', 'Full text everywhere']
const donts = ["Don't panic", 'Dont repeat yourself']
const oreillys = ['OReilly books', 'An evening of books']

export const literalCases: readonly LiteralCase[] = [
  ['C++', [cpp, cpp17], [c, cSharp]],
  ['c++ templates', [cpp], [c, cSharp]],
  ['C++17', [cpp17], [c, cSharp]],
  ['C#', [cSharp], [c, cpp, cpp17]],
  ['F#', ['F# on the web'], ['F strings explained', cSharp]],
  ['C', [c]],
  ['c language', [c]],
  ['F', ['F strings explained']],
  ['.NET', [dotNet, aspNet], ['Net neutrality', 'Slides at www.slideshare.net', 'How authorize.net works']],
  ['authorize.net', ['How authorize.net works'], [dotNet, aspNet]],
  ['slideshare', ['Slides at www.slideshare.net']],
  ['.net core', [aspNet], ['Net neutrality']],
  ['net', ['Net neutrality']],
  ['ASP.NET', [aspNet], ['The asp and other snakes', 'Net neutrality', dotNet]],
  ['asp.net core', [aspNet]],
  ['aspnet', [aspNet]],
  ['node.js', [nodeJs, nodejs], ['Trees and their node', 'Charts in JS']],
  ['Node.js.', [nodeJs, nodejs], ['Trees and their node', 'Charts in JS']],
  ['nodejs', [nodeJs, nodejs], ['Trees and their node', 'Charts in JS']],
  ['node js', [nodeJs, nodejs]],
  [
    '3.12',
    ['What is new in Python 3.12'],
    ['The release of Python 3.1', '12 tips for speakers', 'Chapter 3 of 12 monkeys'],
  ],
  ['python 3.12', ['What is new in Python 3.12']],
  ['python 3.1', ['The release of Python 3.1']],
  ['3.1', ['The release of Python 3.1'], ['What is new in Python 3.12', 'Chapter 3 of 12 monkeys']],
  ['v1.2', ['Version v1.2.3 is out']],
  ['v1.2.3', ['Version v1.2.3 is out']],
  ['4.12', [], ['12 tips for speakers', 'Chapter 3 of 12 monkeys', 'What is new in Python 3.12']],
  ['D#', [], [c, cSharp]],
  ['12 tips', ['12 tips for speakers']],
  ['e-mail', emails],
  ['email', emails],
  ['E-Mail', emails],
  ['full-text', fullTexts],
  ['fulltext', ['Full-text search', 'Fulltext engines']],
  ['full text', fullTexts],
  ["don't", donts],
  ['don’t', donts],
  ['dont', donts],
  ["O'Reilly", oreillys],
  ['O’Reilly', oreillys],
  ['oreilly', oreillys],
  ['tcp/ip', ['TCP/IP in a day']],
  ['CI/CD', ['CI/CD pipelines', 'CI and CD']],
  ['a/b', ['A/B tests']],
  ['python 2', ['Python2 farewell']],
  ['templates programming -C++', [c], [cpp]],
  ['modern programming -C++', [c], [cpp17]],
  ['game developers templates -c#', [cpp], [cSharp]],
  ['core memory -.NET', ['Core strength'], [dotNet, aspNet]],
  ['streams scale node -node.js', ['Trees and their node'], [nodeJs, nodejs]],
  ['release new python -3.12', ['The release of Python 3.1'], ['What is new in Python 3.12']],
  ['templates -C# -language', [cpp], [c, cSharp]],
]

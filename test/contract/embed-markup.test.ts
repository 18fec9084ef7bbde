import { describe } from 'bun:test'
import { useService } from './service.ts'
import { refuses, runTable, takes } from './table.ts'

const service = useService()

const flash =
  '<object width="640" height="390"><param name="movie" value="http://youtube.com/v/abc?version=3&amp;hl=en_US"></param>' +
  '<param name="allowFullScreen" value="true"></param><param name="allowscriptaccess" value="always"></param>' +
  '<embed src="http://youtube.com/v/abc?version=3&amp;hl=en_US" type="application/x-shockwave-flash" ' +
  'allowscriptaccess="always" width="640" height="390" allowfullscreen="true"></embed></object>'

const toLink = (length: number) => `<a href="https://example.org/${'x'.repeat(length - 36)}">x</a>`

const allowed = [
  '',
  flash,
  '<iframe src="https://www.youtube.com/embed/abc" width="640" height="390" allowfullscreen></iframe>',
  '<IFRAME  SRC="https://player.vimeo.com/video/1"   WIDTH=640></IFRAME>',
  '<video controls><source src="https://example.org/v.mp4" type="video/mp4"></video>',
  '<audio src="https://example.org/a.ogg" controls></audio>',
  '<a href="http://example.org/?a=1&amp;b=2">Watch it there</a>',
  '<embed src="https://example.org/p.swf" width="640" height="390">',
  '\n<a href="https://example.org/">Größe 😀</a>\n',
  toLink(10_000),
]

const scripts = [
  '<script>alert(1)</script>',
  '<SCRIPT src="https://example.org/x.js"></SCRIPT>',
  '<video><script>alert(1)</script></video>',
  '<object><script src="https://example.org/x.js"></script></object>',
  '<a href="https://example.org/" onclick="alert(1)">x</a>',
  '<iframe src="https://example.org/" ONLOAD=alert(1)></iframe>',
  '<video/onerror=alert(1) src="https://example.org/v.mp4"></video>',
  '<svg onload="alert(1)"></svg>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<a style="position:fixed" href="https://example.org/">x</a>',
]

const addresses = [
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<embed src="javascript:alert(1)">',
  '<object data="javascript:alert(1)"></object>',
  '<object data="data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;"></object>',
  '<object><param name="movie" value="javascript:alert(1)"></object>',
  '<iframe src="data:text/html,hello"></iframe>',
  '<iframe src="DATA:text/html;base64,aGVsbG8="></iframe>',
  '<video poster="javascript:alert(1)" src="https://example.org/v.mp4"></video>',
  '<video><source src="data:video/mp4;base64,AA=="></video>',
  '<audio src="vbscript:x"></audio>',
  '<iframe src="blob:https://example.org/1"></iframe>',
  '<iframe src="ftp://example.org/v"></iframe>',
  '<iframe src="file:///etc/passwd"></iframe>',
  '<iframe src="//www.youtube.com/embed/abc"></iframe>',
  '<iframe src="/embed/abc"></iframe>',
  '<iframe src="embed/abc"></iframe>',
]

const elements = [
  '<img src="https://example.org/x.png">',
  '<div><iframe src="https://example.org/"></iframe></div>',
  '<p>text</p>',
  '<style>a{}</style>',
  '<link rel="stylesheet" href="https://example.org/x.css">',
  '<meta http-equiv="refresh" content="0">',
  '<base href="https://example.org/">',
  '<form action="https://example.org/"><input></form>',
  '<math><mi>x</mi></math>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<x-player></x-player>',
  '<a href="https://example.org/"><b>bold</b></a>',
  '<html><body><a href="https://example.org/">x</a></body></html>',
  '<!-- a comment --><a href="https://example.org/">x</a>',
  '<!DOCTYPE html><a href="https://example.org/">x</a>',
]

const unfinished = [
  '<script src=https://example.org/x.js ',
  '<iframe src="https://example.org/"></iframe><script',
  '<a href="javascript:alert(1)" ',
  '<a href="https://example.org/" onclick="alert(1)"',
  '<a href="https://example.org/" title="',
  '<img src=x onerror=alert(1) ',
  '<!-- ',
]

const others = [
  '<a href="https://example.org/" href="javascript:alert(1)">x</a>',
  toLink(10_001),
  null,
  5,
  true,
  [],
  {},
  '<a href="https://example.org/">\u0000</a>',
]

describe('Player markup', () =>
  runTable(
    allowed.map((markup) => takes('embed', markup)),
    service,
  ))

describe('Markup with a script', () =>
  runTable(
    scripts.map((markup) => refuses('embed', markup)),
    service,
  ))

describe('Markup with a bad address', () =>
  runTable(
    addresses.map((markup) => refuses('embed', markup)),
    service,
  ))

describe('Markup with another element', () =>
  runTable(
    elements.map((markup) => refuses('embed', markup)),
    service,
  ))

describe('Markup that ends within a tag', () => {
  runTable(
    unfinished.map((markup) => refuses('embed', markup)),
    service,
  )
})

describe('An embed', () =>
  runTable(
    others.map((value) => refuses('embed', value)),
    service,
  ))

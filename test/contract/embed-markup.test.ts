import { describe } from 'bun:test'
import { useService } from './service.ts'
import { refuses, runTable, takes } from './table.ts'

// Runner: one engine (markup is judged before the store is asked)

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

/** What clients of the original send: steve's own frames, and what vidscraper made of blip.tv, Google Video and Vimeo. */
const old = [
  '<iframe id="player" width="640" height="390" frameborder="0" src="http://youtube.com/v/0CZgmbl47xw"></iframe>',
  '<iframe src="http://blip.tv/play/AYH9xikC.html" width="640" height="510" frameborder="0" allowfullscreen></iframe>' +
    '<embed type="application/x-shockwave-flash" src="http://a.blip.tv/api.swf#AYH9xikC" style="display:none"></embed>',
  '<embed id="VideoPlayback" src="http://video.google.com/googleplayer.swf?docid=3372610739323185039&hl=en&fs=true" ' +
    'style="width:400px;height:326px" allowFullScreen="true" allowScriptAccess="always" ' +
    'type="application/x-shockwave-flash"> </embed>',
  '<iframe src="http://player.vimeo.com/video/2" width="400" height="300" frameborder="0"></iframe>' +
    '<p><a href="http://vimeo.com/2">Title</a> from <a href="http://vimeo.com/u">Somebody</a>.</p>',
]

const styles = [
  'width:400px',
  'WIDTH: 100% ; height:0;',
  'margin: 0 auto',
  'border: 1.5px solid Gray; display: inline-block',
  'border:.5em solid #aAbBcC',
  'border:none;margin:1em 2% 3px auto',
  'width:\n10px',
  '',
]

const around = [
  '<div class="player wide" id="p"><p>See <a href="https://example.org/" name="n">it</a><br>there</p></div>',
  '<div style="width:640px"><iframe title="T" src="https://example.org/"></iframe></div><br/>',
  '<video id="v" class="c" name="n" title="javascript: a talk" src="https://example.org/v.mp4"></video>',
]

const hostileStyles = [
  'position:fixed',
  'margin-left:1px',
  'width:calc(1px)',
  'width:expression(alert(1))',
  'width:exp/**/ression(alert(1))',
  'border:1px solid url(https://example.org/x)',
  'border:url("https://example.org/x")',
  'width:1px!important',
  'width:1px !important',
  'margin:-1px',
  'margin:+1px',
  'width:1e9px',
  'width:640',
  'width:1vw',
  'width:1 px',
  'width:\\31px',
  'w\\69dth:1px',
  'width:1px/**/',
  '/**/width:1px',
  'width:var(--x)',
  '--x:1px',
  'width:1px;behavior:url(#x)',
  'width',
  'width:',
  ':1px',
  'width:1px:2px',
  '{width:1px}',
  'width:1px}a{width:1px',
  'display:inherit',
  'border:1px solid #12',
  'border:1px solid #12345g',
  'border:1px solid rgb(1,2,3)',
  '-moz-binding:none',
  'width:\u00a01px',
  'width:１px',
  'width:1px;@import "x"',
  'width:javascript:alert(1)',
]

const notAround = [
  '<p>text</p>',
  '<div><br></div>',
  '<br>',
  '<div onclick="alert(1)"><a href="https://example.org/">x</a></div>',
  '<div><a href="https://example.org/">x</a>',
  '<p><a href="https://example.org/">x</p></a>',
  '<a href="https://example.org/">x</a></div>',
  '<p align="center"><a href="https://example.org/">x</a></p>',
  '<a href="https://example.org/" id="javascript:alert(1)">x</a>',
  '<div data-x="1"><a href="https://example.org/">x</a></div>',
]

const toStyled = (style: string) => `<a style='${style}' href="https://example.org/">x</a>`

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
  '<span><iframe src="https://example.org/"></iframe></span>',
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
    [...allowed, ...old, ...around, ...styles.map(toStyled)].map((markup) => takes('embed', markup)),
    service,
  ))

describe('Markup with a style that could do more than place the player', () =>
  runTable(
    hostileStyles.map((style) => refuses('embed', toStyled(style))),
    service,
  ))

describe('Markup without a player, or with more around it than a paragraph', () =>
  runTable(
    notAround.map((markup) => refuses('embed', markup)),
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

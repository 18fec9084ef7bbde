/** A line of a dump with something else in it, and with the checksum that fits. */
type Tamper = (line: string) => string

interface Case {
  readonly what: string
  /** Which line: the first that has this. */
  readonly at: string
  readonly tamper: Tamper
  readonly says: RegExp
}

const replace =
  (from: string | RegExp, to: string): Tamper =>
  (line) =>
    line.replace(from, to)

/** Changes the body of a version and makes its checksum anew, as whoever means harm would. */
const inBody =
  (from: string | RegExp, to: string): Tamper =>
  (line) => {
    const start = line.indexOf(',"body":') + ',"body":'.length
    const body = line.slice(start, -2).replace(from, to)
    const checksum = new Bun.CryptoHasher('sha256').update(body).digest('hex')
    return `${line.slice(0, start).replace(/"checksum":"\w+"/, `"checksum":"${checksum}"`)}${body}}}`
  }

const [first, version, category, batch, origin, tombstone, speaker] = [
  '{"rostrum"',
  '"title":"Uno"',
  '{"category":',
  '{"batch":',
  '{"origin":',
  '{"tombstone":',
  '{"speaker":{"id":1,',
]

/** What a stranger may send as a dump; every one is refused with the number of the line. */
export const tamperings: readonly Case[] = [
  { what: 'another format', at: first, tamper: replace('"format":2', '"format":3'), says: /line 1: .*format/ },
  {
    what: 'a newer schema',
    at: first,
    tamper: replace(/"schema":\d+/, '"schema":99'),
    says: /line 1: .*newer Rostrum/,
  },
  { what: 'a strange header', at: first, tamper: replace('"format":2', '"format":2,"x":1'), says: /line 1: / },
  {
    what: 'raw markup',
    at: version,
    tamper: inBody('"summary":""', '"summary":"<script>"'),
    says: /not in canonical form/,
  },
  { what: 'a 33rd field', at: version, tamper: inBody(/\}$/, ',"extra":1}'), says: /unknown field "extra"/ },
  { what: 'a missing field', at: version, tamper: inBody('"whiteboard":"",', ''), says: /whiteboard/ },
  { what: 'a wrong type', at: version, tamper: inBody('"duration":null', '"duration":"5"'), says: /duration/ },
  {
    what: 'a bad address',
    at: version,
    tamper: inBody('"source_url":""', '"source_url":"javascript:1"'),
    says: /source_url/,
  },
  {
    what: 'a script as player',
    at: version,
    tamper: inBody('"embed":""', '"embed":"\\u003cscript\\u003e"'),
    says: /embed/,
  },
  { what: 'a slug that climbs', at: version, tamper: inBody(/"slug":"\w+"/, '"slug":"../../up"'), says: /slug/ },
  { what: 'another slug than before', at: version, tamper: inBody(/"slug":"\w+"/, '"slug":"other"'), says: /slug/ },
  { what: 'another id in the body', at: version, tamper: inBody('"id":1', '"id":7'), says: /id/ },
  { what: 'another state in the body', at: version, tamper: inBody('"state":1', '"state":2'), says: /state/ },
  { what: 'a bad time', at: version, tamper: inBody(/"updated":"[^"]*"/, '"updated":"now"'), says: /updated/ },
  { what: 'two bodies', at: version, tamper: replace(',"body":{', ',"body":{},"body":{'), says: /Duplicate name/ },
  { what: 'a body that is no object', at: version, tamper: replace(/,"body":\{.*$/, ',"body":null}}'), says: /body/ },
  {
    what: 'a name twice in a record',
    at: version,
    tamper: inBody('"title":"Uno"', '"title":"x","title":"Uno"'),
    says: /Duplicate name/,
  },
  { what: 'an unknown column', at: version, tamper: replace('"author":', '"note":1,"author":'), says: /"note"/ },
  {
    what: 'a gap in the numbers',
    at: version,
    tamper: replace('"number":2', '"number":3'),
    says: /version 2 .*missing/,
  },
  {
    what: 'a kind that does not fit',
    at: version,
    tamper: replace('"kind":"updated"', '"kind":"withdrawn"'),
    says: /kind/,
  },
  {
    what: 'fields that are none',
    at: version,
    tamper: replace(/"changed":\[/, '"changed":["pwned",'),
    says: /changed/,
  },
  {
    what: 'fields that are no list',
    at: version,
    tamper: replace(/"changed":\[.*?\]/, '"changed":{"x":1}'),
    says: /changed/,
  },
  { what: 'a batch that is missing', at: version, tamper: replace('"batch":null', '"batch":77'), says: /line \d+: / },
  { what: 'a category that climbs', at: category, tamper: replace(/"slug":"\w+"/, '"slug":"../../up"'), says: /slug/ },
  { what: 'a blank category', at: category, tamper: replace(/"title":"[^"]*"/, '"title":" "'), says: /title/ },
  {
    what: 'an address of a category',
    at: category,
    tamper: replace(/"url":"[^"]*"/, '"url":"javascript:1"'),
    says: /url/,
  },
  { what: 'a column that is SQL', at: category, tamper: replace('"url":', '"x) --":1,"url":'), says: /"x\) --"/ },
  { what: 'a number as a text', at: batch, tamper: replace(/"records":\d+/, '"records":"1"'), says: /records/ },
  { what: 'a batch that miscounts', at: batch, tamper: replace(/"records":\d+/, '"records":9'), says: /batch 1/ },
  {
    what: 'extras that are no object',
    at: origin,
    tamper: replace(/"body":"(?:\\.|[^"])*"/, '"body":"[1]"'),
    says: /body/,
  },
  {
    what: 'extras without their basis',
    at: origin,
    tamper: replace(/"basis":"(?:\\.|[^"])*"/, '"basis":"{}"'),
    says: /basis/,
  },
  { what: 'an origin of nobody', at: origin, tamper: replace('"id":1', '"id":55'), says: /no record 55/ },
  {
    what: 'an erased record that is there',
    at: tombstone,
    tamper: replace('"record_id":9', '"record_id":1'),
    says: /record 1 /,
  },
  { what: 'an erasure with a taken number', at: tombstone, tamper: replace('"seq":99', '"seq":1'), says: /seq/ },
  {
    what: 'two kinds in a line',
    at: tombstone,
    tamper: replace('{"tombstone"', '{"x":1,"tombstone"'),
    says: /line \d+: /,
  },
  { what: 'a line that is a list', at: tombstone, tamper: () => '[]', says: /line \d+: / },
  { what: 'a line that is null', at: tombstone, tamper: () => 'null', says: /line \d+: / },
  { what: 'an empty line', at: tombstone, tamper: () => '', says: /line \d+: / },
  {
    what: 'an alias of nobody',
    at: '{"origin_alias":',
    tamper: replace(/"record_id":\d+/, '"record_id":55'),
    says: /no record 55/,
  },
  {
    what: 'an erased id without room behind it',
    at: tombstone,
    tamper: replace('"record_id":9', '"record_id":9007199254740991'),
    says: /record_id/,
  },
  {
    what: 'a change without room behind it',
    at: tombstone,
    tamper: replace('"seq":99', '"seq":9007199254740991'),
    says: /seq/,
  },
  {
    what: 'a record that nothing can be later than',
    at: version,
    tamper: inBody(/"updated":"[^"]*"/, '"updated":"9999-12-31T23:59:59.999"'),
    says: /9999-12-31/,
  },
  {
    what: 'a version at the end of time',
    at: version,
    tamper: replace(/"at":"[^"]*"/, '"at":"9999-12-31T23:59:59.999"'),
    says: /year 9000/,
  },
  { what: 'a blank name', at: speaker, tamper: replace(/"name":"[^"]*"/, '"name":" "'), says: /name/ },
  {
    what: 'a slug of a name that climbs',
    at: speaker,
    tamper: replace(/"slug":"[^"]*"/, '"slug":"../x"'),
    says: /slug/,
  },
  {
    what: 'an alias of nothing',
    at: '"merged_into":1}}',
    tamper: replace('"merged_into":1', '"merged_into":55'),
    says: /alias of a missing entry/,
  },
  {
    what: 'an alias of itself',
    at: speaker,
    tamper: replace('"merged_into":null', '"merged_into":1'),
    says: /alias of a missing entry/,
  },
  { what: 'a name twice', at: speaker, tamper: (line) => `${line}\n${line}`, says: /line \d+: / },
  {
    what: 'a retired id that is there',
    at: '{"retired_name":{"kind":"speaker"',
    tamper: replace('"id":77', '"id":1'),
    says: /deleted/,
  },
  {
    what: 'a retired id of no kind',
    at: '{"retired_name":{"kind":"speaker"',
    tamper: replace('"speaker"', '"x"'),
    says: /kind/,
  },
  { what: 'dismissed names in disorder', at: '{"dismissed_variant"', tamper: replace('[1,2]', '[2,1]'), says: /ids/ },
  {
    what: 'an accepted finding of no code',
    at: '{"accepted_finding"',
    tamper: replace('shouting_title', 'x'),
    says: /code/,
  },
  {
    what: 'an accepted finding of no record',
    at: '{"accepted_finding"',
    tamper: replace('"record_id":1', '"record_id":77'),
    says: /no record 77/,
  },
  { what: 'a pair in disorder', at: '{"distinct_pair"', tamper: replace('"low_id":1', '"low_id":3'), says: /low_id/ },
  {
    what: 'a merge into no record',
    at: '{"merged_record"',
    tamper: replace('"into_id":1', '"into_id":77'),
    says: /no record 77/,
  },
  {
    what: 'a merge by no batch',
    at: '{"merged_record"',
    tamper: replace('"batch_id":1', '"batch_id":77'),
    says: /FOREIGN KEY/i,
  },
  {
    what: 'a publication for no role',
    at: '{"scheduled_publish"',
    tamper: replace('"publisher"', '"owner"'),
    says: /role/,
  },
  {
    what: 'a change of names that is none',
    at: '"names":"',
    tamper: replace(/"names":"\[/, '"names":"{'),
    says: /names/,
  },
  {
    what: 'a change of names with a field that is none',
    at: '\\"filled\\":{',
    tamper: replace('\\"before\\":{', '\\"before\\":{\\"slug\\":\\"x\\",'),
    says: /names/,
  },
  { what: 'something behind the end', at: '{"end"', tamper: (line) => `${line}\n${line}`, says: /end/ },
]

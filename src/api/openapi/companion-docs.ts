import { maxChapters } from '../../record/companion/chapters.ts'
import { companionNames, type SingleName } from '../../record/companion/kinds.ts'
import { maxRecordings, recordingKinds } from '../../record/companion/recordings.ts'
import { linkKinds, maxLinks } from '../../record/companion/related.ts'
import type { JsonObject } from '../../record/json.ts'
import { linkStates } from '../../record/link/link.ts'
import { toNumber } from '../../record/text/counted.ts'
import { maxCueLength, maxCues, maxTool, maxVoice, origins } from '../../record/transcript/transcript.ts'
import { badBody, erased, jsonType, publishersOnly, toDescribeDocs } from './answer-docs.ts'
import { ref, toObjectSchema } from './field-schema.ts'
import {
  changeReason,
  dryRun,
  ifMatch,
  ifNoneMatch,
  prefer,
  type RouteDocs,
  recordId,
  toQuery,
} from './operation-docs.ts'

const url = { type: 'string', format: 'uri', maxLength: 2048, description: 'http or https, without user info.' }
const seconds = { type: 'number', minimum: 0, multipleOf: 0.001 }

const link: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url,
    label: { type: 'string', maxLength: 255 },
    kind: { enum: linkKinds, description: 'Guessed from label and address if a PUT leaves it out.' },
  },
}

/** In the patch of a bulk change. */
export const linkChange: JsonObject = {
  type: 'object',
  description:
    'Related links to add, unless a record has one with the same address, and addresses of links to remove. A record that ' +
    'would have too many is refused (`bad_fields`).',
  additionalProperties: false,
  properties: {
    add: { type: 'array', items: link, maxItems: maxLinks },
    remove: { type: 'array', items: { type: 'string' } },
  },
}

const recording: JsonObject = {
  type: 'object',
  required: ['url'],
  properties: {
    url,
    kind: { enum: recordingKinds, description: '`page`: plays it. `file`: is it. Guessed if a PUT leaves it out.' },
    language: { type: 'string', description: 'The language spoken in it, if it is not that of the record.' },
    note: { type: 'string', maxLength: 255 },
    own: {
      type: 'boolean',
      description:
        'True for those that the record itself has; they change with the record only, and are ignored in a PUT.',
    },
    state: { enum: linkStates, description: 'State of the address. Ignored in a PUT.' },
  },
}

const chapter: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['start', 'title'],
  properties: {
    start: { ...seconds, description: 'In seconds. Each chapter starts after the one before.' },
    title: { type: 'string', minLength: 1, maxLength: 255 },
    end: { ...seconds, description: 'Left out, it lasts until the next one.' },
    video: {
      type: 'integer',
      minimum: 1,
      description: 'The id of the record that this part is. Left out for the public while that is a draft.',
    },
  },
}

const toList = (name: string, text: string, items: JsonObject, maxItems: number) =>
  toObjectSchema(text, { [name]: { type: 'array', items, maxItems } })

export const companionSchemas: JsonObject = {
  RelatedLinks: toList('links', 'Pages about a talk elsewhere.', link, maxLinks),
  Recordings: toObjectSchema('Where a talk can be watched, its own addresses first.', {
    recordings: {
      type: 'array',
      items: recording,
      description: `At most ${maxRecordings}, without those that the record itself has.`,
    },
  }),
  Chapters: toList('chapters', 'The parts of a talk.', chapter, maxChapters),
}

const docs: { readonly [Name in SingleName]: { schema: string; what: string; id: string; example: JsonObject } } = {
  related: {
    ...{ schema: 'RelatedLinks', what: 'related links', id: 'Related' },
    example: { links: [{ url: 'https://example.org/slides.pdf', label: 'Slides', kind: 'slides' }] },
  },
  recordings: {
    ...{ schema: 'Recordings', what: 'other recordings', id: 'Recordings' },
    example: { recordings: [{ url: 'https://archive.org/details/example', kind: 'page', note: 'with the questions' }] },
  },
  chapters: {
    ...{ schema: 'Chapters', what: 'chapters', id: 'Chapters' },
    example: {
      chapters: [
        { start: 0, title: 'Hello' },
        { start: 724.5, title: 'How it works' },
      ],
    },
  },
}

const mergeText =
  '`merge; base="<etag>"`, with the ETag that your change is based on: it is merged with what others have changed in ' +
  'other entries since. If both have changed an entry with the same `url` or `start`, the response is 412 with these in ' +
  '`conflicts`. Ignored if `If-Match` is present.'

const notAcceptable = '`Accept` allows none of the formats. Nothing was written.'

const texts = { 'text/vtt': { type: 'string' }, 'text/plain': { type: 'string' } }

function toDocs(name: SingleName): RouteDocs {
  const { schema, what, id, example } = docs[name]
  const others = name === 'chapters' ? texts : {}
  const content = { [jsonType]: ref(schema), ...others }
  const bodies = Object.fromEntries(Object.entries(others).map(([type, each]) => [type, { schema: each }]))
  const answers = {
    200: { text: `The ${what}.`, content, headers: ['ETag', 'Cache-Control'] },
  } as const
  const replaced = { 200: { ...answers[200], maybeHeaders: ['Preference-Applied'] } } as const
  const stale = 'The precondition failed. The response has `base`, `theirs` and `yours`; nothing was written.'
  const unread = { 404: 'No such record.', ...(name === 'chapters' ? { 406: notAcceptable } : {}), 410: erased }
  const problems = { 403: publishersOnly, ...unread, 412: stale }
  return {
    tag: 'Records',
    parameters: [recordId],
    methods: {
      GET: {
        id: `get${id}`,
        summary: `Read the ${what} of a record`,
        text: 'Empty if nobody has given any. Those of a draft need a token.',
        parameters: name === 'recordings' ? [] : [ifNoneMatch],
        answers,
        problems: unread,
      },
      PUT: {
        id: `put${id}`,
        summary: `Replace the ${what} of a record`,
        text:
          'The record itself stays as it is, with its ETag and its time. The change is a version in the history of the ' +
          'record; equal content makes none. `If-Match` takes the ETag of this path.',
        parameters: [dryRun, ifMatch, { ...prefer, text: mergeText }, changeReason],
        body: { [jsonType]: { schema: ref(schema), example }, ...bodies },
        answers: replaced,
        problems: { ...problems, 400: badBody },
      },
      DELETE: {
        id: `delete${id}`,
        summary: `Remove the ${what} of a record`,
        text: 'Answers with the empty ones. A version of the history has what was removed, and restores it.',
        parameters: [dryRun, ifMatch, changeReason],
        answers,
        problems: { ...problems, 400: '`dry_run` or `Change-Reason` is invalid.' },
      },
      OPTIONS: toDescribeDocs(schema),
    },
  }
}

/** In the patch of a bulk change. */
export const transcriptChange: JsonObject = {
  type: 'object',
  description: 'A word or phrase to replace in transcripts: whole words, in the same case.',
  additionalProperties: false,
  required: ['find', 'replace'],
  properties: {
    find: { type: 'string', minLength: 1, maxLength: 200 },
    replace: { type: 'string', maxLength: 200 },
    language: { type: 'string', description: 'Only in transcripts of this language.' },
  },
}

const stored = '/api/v2/video/:id/transcripts'
const listed: JsonObject = toObjectSchema('A transcript, without its text.', {
  language: { type: 'string', description: 'BCP 47.' },
  origin: { enum: origins },
  tool: { type: ['string', 'null'], description: 'Program that created it.' },
  cues: { type: 'integer', minimum: 1 },
  end: { type: 'number', description: 'In seconds: the end of the last cue.' },
  version: { type: 'integer', minimum: 1, description: 'The version of the record that stored it.' },
  etag: { type: 'string' },
})

const podcastSegment = toObjectSchema('A cue.', {
  startTime: { type: 'number', minimum: 0 },
  endTime: { type: 'number', minimum: 0 },
  body: { type: 'string', maxLength: maxCueLength },
})

export const transcriptSchemas: JsonObject = {
  TranscriptList: toObjectSchema('The transcripts of a talk.', { transcripts: { type: 'array', items: listed } }),
  Transcript: toObjectSchema('A transcript as Podcasting 2.0 has it; times in seconds.', {
    version: { type: 'string' },
    segments: {
      type: 'array',
      maxItems: maxCues,
      items: {
        ...podcastSegment,
        properties: { speaker: { type: 'string', maxLength: maxVoice }, ...(podcastSegment.properties as JsonObject) },
      },
    },
  }),
}

const fileText: JsonObject = { type: 'string' }
const transcriptContent = {
  'text/vtt': fileText,
  'application/x-subrip': fileText,
  'text/plain': fileText,
  [jsonType]: ref('Transcript'),
}
const transcriptExample = {
  version: '1.0.0',
  segments: [{ speaker: 'Ann', startTime: 1, endTime: 2.5, body: 'Hello' }],
}
const staleTranscript =
  'The precondition failed. The response has `base`, `theirs` and `yours`, with times in milliseconds; nothing was written.'
const noTranscript = 'No such record, or it has no transcript in this language.'
const transcriptProblems = { 403: publishersOnly, 404: noTranscript, 410: erased, 412: staleTranscript }
const transcriptAnswer = {
  text: 'The transcript.',
  content: transcriptContent,
  headers: ['ETag', 'Cache-Control'],
} as const

const transcriptDocs: { readonly [path: string]: RouteDocs } = {
  [stored]: {
    tag: 'Records',
    parameters: [recordId],
    methods: {
      GET: {
        id: 'listTranscripts',
        summary: 'List the transcripts of a record',
        text: 'The transcripts of a draft need a token.',
        parameters: [ifNoneMatch],
        answers: {
          200: { text: 'The transcripts.', content: { [jsonType]: ref('TranscriptList') }, headers: ['ETag'] },
        },
        problems: { 404: 'No such record.', 410: erased },
      },
      OPTIONS: toDescribeDocs('TranscriptList'),
    },
  },
  [`${stored}/:language`]: {
    tag: 'Records',
    parameters: [
      recordId,
      {
        name: 'language',
        in: 'path',
        text: 'BCP 47; `eng`, `en-orig` and `a.en` mean `en`. A suffix `.vtt`, `.srt`, `.txt` or `.json` chooses the format, else `Accept` does.',
        schema: { type: 'string' },
      },
    ],
    methods: {
      GET: {
        id: 'getTranscript',
        summary: 'Read a transcript',
        text: 'WebVTT by default; also SubRip, plain text in paragraphs, or JSON of Podcasting 2.0.',
        parameters: [ifNoneMatch],
        answers: { 200: transcriptAnswer },
        problems: { 404: noTranscript, 406: notAcceptable, 410: erased },
      },
      PUT: {
        id: 'putTranscript',
        summary: 'Replace a transcript with a file',
        text:
          'WebVTT, SubRip, or the JSON of Whisper, whisper.cpp, YouTube (json3) or Podcasting 2.0, of at most 16 MiB, ' +
          `${toNumber(maxCues)} cues and 24 hours. The change is a version in the history of the record; equal content makes none.`,
        parameters: [
          toQuery('origin', '`machine` for Whisper, whisper.cpp and YouTube if it is left out, else `human`.', {
            enum: origins,
          }),
          toQuery('tool', 'Program that created it.', { type: 'string', maxLength: maxTool }),
          dryRun,
          ifMatch,
          ifNoneMatch,
          changeReason,
        ],
        body: {
          'text/vtt': { schema: fileText, example: 'WEBVTT\n\n00:01.000 --> 00:02.500\nHello\n' },
          'application/x-subrip': { schema: fileText, example: '1\n00:00:01,000 --> 00:00:02,500\nHello\n' },
          [jsonType]: { schema: { type: 'object' }, example: transcriptExample },
        },
        answers: { 200: transcriptAnswer },
        problems: {
          ...{ ...transcriptProblems, 406: notAcceptable },
          400: 'The file cannot be read; `errors.transcript` names line and cue. Or a parameter is invalid.',
        },
      },
      DELETE: {
        id: 'deleteTranscript',
        summary: 'Delete a transcript',
        text: 'The history keeps the deleted transcript, and can restore it.',
        parameters: [dryRun, ifMatch, changeReason],
        answers: { 204: { text: 'Deleted.' } },
        problems: { ...transcriptProblems, 400: '`dry_run` or `Change-Reason` is invalid.' },
      },
      OPTIONS: toDescribeDocs('Transcript'),
    },
  },
}

export const companionDocs: { readonly [path: string]: RouteDocs } = {
  ...Object.fromEntries(companionNames.map((name) => [`/api/v2/video/:id/${name}`, toDocs(name)])),
  ...transcriptDocs,
}

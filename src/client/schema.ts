// Generated from the OpenAPI document by scripts/client-types.ts. Do not edit.

type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: T[P]
}

export interface components {
  schemas: {
    /** @description One recorded talk. Always has exactly these fields, in this order. */
    readonly VideoRecord: {
      /** @description Title of the event or group that the talk belongs to. Created if it does not exist. */
      readonly category: string
      /** @description Language of the talk: English name, or a code such as en or eng. */
      readonly language: string
      /** @description Made from the title, used in URLs; never changes. */
      readonly slug: string
      /** @description Names of the speakers, in order. */
      readonly speakers: readonly string[]
      /** @description Tags, in order. */
      readonly tags: readonly string[]
      /** @description Id of the record. */
      readonly id: number
      /** @description 1 = live, 2 = draft. If omitted, a new record is a draft and an existing one keeps its state. */
      readonly state: 1 | 2
      /** @description Title of the talk. */
      readonly title: string
      /** @description Short description of the talk. */
      readonly summary: string
      /** @description Full description of the talk. */
      readonly description: string
      /** @description Known problems of the recording. */
      readonly quality_notes: string
      /** @description Licence of the recording. */
      readonly copyright_text: string
      /** @description Player markup. If omitted, it is built from source_url for known hosts. */
      readonly embed: string
      /** @description Absolute URL of a thumbnail image. */
      readonly thumbnail_url: string
      /** @description Length in seconds; null if unknown. */
      readonly duration: number | null
      /** @description Size of the ogv file in bytes. */
      readonly video_ogv_length: number | null
      /** @description Absolute URL of the ogv file. */
      readonly video_ogv_url: string | null
      /** @description True if the ogv file is only for downloading. */
      readonly video_ogv_download_only: boolean
      /** @description Size of the mp4 file in bytes. */
      readonly video_mp4_length: number | null
      /** @description Absolute URL of the mp4 file. */
      readonly video_mp4_url: string | null
      /** @description True if the mp4 file is only for downloading. */
      readonly video_mp4_download_only: boolean
      /** @description Size of the webm file in bytes. */
      readonly video_webm_length: number | null
      /** @description Absolute URL of the webm file. */
      readonly video_webm_url: string | null
      /** @description True if the webm file is only for downloading. */
      readonly video_webm_download_only: boolean
      /** @description Size of the flv file in bytes. */
      readonly video_flv_length: number | null
      /** @description Absolute URL of the flv file. */
      readonly video_flv_url: string | null
      /** @description True if the flv file is only for downloading. */
      readonly video_flv_download_only: boolean
      /** @description Absolute URL of the original hosted video. */
      readonly source_url: string
      /** @description Notes for curators. */
      readonly whiteboard: string
      /** @description Day of the recording; null if unknown. */
      readonly recorded: string | null
      /** @description Time of creation, UTC. */
      readonly added: string
      /** @description Time of the last change, UTC. */
      readonly updated: string
    }
    readonly VideoRecordChange: {
      readonly category?: string
      readonly language?: string
      readonly slug?: unknown
      readonly speakers?: readonly string[]
      readonly tags?: readonly string[]
      readonly id?: unknown
      readonly state?: 1 | 2
      readonly title?: string
      readonly summary?: string
      readonly description?: string
      readonly quality_notes?: string
      readonly copyright_text?: string
      readonly embed?: string
      readonly thumbnail_url?: string | null
      readonly duration?: number | null
      readonly video_ogv_length?: number | null
      readonly video_ogv_url?: string | null
      readonly video_ogv_download_only?: boolean
      readonly video_mp4_length?: number | null
      readonly video_mp4_url?: string | null
      readonly video_mp4_download_only?: boolean
      readonly video_webm_length?: number | null
      readonly video_webm_url?: string | null
      readonly video_webm_download_only?: boolean
      readonly video_flv_length?: number | null
      readonly video_flv_url?: string | null
      readonly video_flv_download_only?: boolean
      readonly source_url?: string | null
      readonly whiteboard?: string
      readonly recorded?: string | null
      readonly added?: unknown
      readonly updated?: unknown
    }
    /** @description A whole record. Omitted fields get their defaults; a PUT without `state` keeps the current one. */
    readonly NewVideoRecord: WithRequired<components['schemas']['VideoRecordChange'], 'category' | 'title'>
    /** @description Where the record matches the search. */
    readonly Highlight: {
      /** @description Start and end of each hit in code points; the end is exclusive. In order, without overlaps. */
      readonly title: readonly (readonly [number, number])[]
      /** @description The best passage; null if it would be the beginning of the summary or description and both are empty. */
      readonly passage: components['schemas']['Passage'] | null
    }
    /** @description The part of a text field with the most different hits. Without hits, the beginning of the summary or description. */
    readonly Passage: {
      /** @description The field that it comes from. */
      readonly field: 'summary' | 'description' | 'speakers' | 'tags' | 'category'
      /** @description At most 200 characters of the field. Names are separated by a comma. */
      readonly text: string
      /** @description Start and end of each hit in code points; the end is exclusive. In order, without overlaps. */
      readonly marks: readonly (readonly [number, number])[]
    }
    /** @description Something that a caller may be looking for. */
    readonly Completion: {
      readonly kind: 'speaker' | 'category' | 'tag' | 'video'
      /** @description The name or title. */
      readonly text: string
      /** @description The page of the record, category, speaker or tag; without the site, its URL in the API. */
      readonly url: string
      /** @description Number of records; 1 for a record. */
      readonly count: number
    }
    /** @description A place in a talk where the words are said. */
    readonly Moment: {
      /** @description Of the transcript, such as `en`. */
      readonly language: string
      /** @description Start of the cue with the first of the words, in seconds. */
      readonly start: number
      readonly end: number
      /** @description What is said from there, at most 600 characters. */
      readonly text: string
      /** @description Start and end of each hit in code points; the end is exclusive. In order, without overlaps. */
      readonly marks: readonly (readonly [number, number])[]
      /** @description The page of the talk at that second; without the site, the record. */
      readonly url: string
    }
    /** @description Where a record came from, and the data of its source that fits no field. */
    readonly Extras: {
      /** @description Null for a record that was not imported. */
      readonly origin: null | {
        readonly source: string
        readonly path: string
      }
      /** @description Keys and values as in the source. */
      readonly extras: Record<string, unknown>
    }
    /** @description A version of a record. */
    readonly VersionLine: {
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description The change as the public sees it. A record that becomes public again is `created`; one that stops being public is `withdrawn`. */
      readonly kind: 'created' | 'updated' | 'withdrawn'
      /** @description Id of the batch that created the version, or null. */
      readonly batch: number | null
      /** @description The fields that the version changed. */
      readonly changed: readonly (
        | (
            | 'category'
            | 'language'
            | 'speakers'
            | 'tags'
            | 'state'
            | 'title'
            | 'summary'
            | 'description'
            | 'quality_notes'
            | 'copyright_text'
            | 'embed'
            | 'thumbnail_url'
            | 'duration'
            | 'video_ogv_length'
            | 'video_ogv_url'
            | 'video_ogv_download_only'
            | 'video_mp4_length'
            | 'video_mp4_url'
            | 'video_mp4_download_only'
            | 'video_webm_length'
            | 'video_webm_url'
            | 'video_webm_download_only'
            | 'video_flv_length'
            | 'video_flv_url'
            | 'video_flv_download_only'
            | 'source_url'
            | 'whiteboard'
            | 'recorded'
            | 'related'
            | 'recordings'
            | 'chapters'
          )
        | string
      )[]
    }
    /** @description A record as of one version. */
    readonly Version: {
      /** @description Id of the record. */
      readonly id: number
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description The change as the public sees it. A record that becomes public again is `created`; one that stops being public is `withdrawn`. */
      readonly kind: 'created' | 'updated' | 'withdrawn'
      /** @description Id of the batch that created the version, or null. */
      readonly batch: number | null
      /** @description The fields that the version changed. Version 1 has no `from`. */
      readonly changed: {
        readonly [key: string]: {
          readonly from?: unknown
          readonly to: unknown
        }
      }
      readonly record: components['schemas']['VideoRecord']
    }
    /** @description One version of one record. */
    readonly Change: {
      /** @description Number of the change in commit order. */
      readonly seq: number
      /** @description Id of the record. */
      readonly id: number
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description The change as the public sees it. A record that becomes public again is `created`; one that stops being public is `withdrawn`. */
      readonly kind: 'created' | 'updated' | 'withdrawn'
      /** @description Name of the token that made the change. With a token only. Null for an erased record. */
      readonly by?: string | null
      /** @description The `Change-Reason` of the request, or null. With a token only. */
      readonly reason?: string | null
      /** @description The fields that the version changed; all of them for version 1. With a token only. */
      readonly fields?: readonly (
        | (
            | 'category'
            | 'language'
            | 'speakers'
            | 'tags'
            | 'state'
            | 'title'
            | 'summary'
            | 'description'
            | 'quality_notes'
            | 'copyright_text'
            | 'embed'
            | 'thumbnail_url'
            | 'duration'
            | 'video_ogv_length'
            | 'video_ogv_url'
            | 'video_ogv_download_only'
            | 'video_mp4_length'
            | 'video_mp4_url'
            | 'video_mp4_download_only'
            | 'video_webm_length'
            | 'video_webm_url'
            | 'video_webm_download_only'
            | 'video_flv_length'
            | 'video_flv_url'
            | 'video_flv_download_only'
            | 'source_url'
            | 'whiteboard'
            | 'recorded'
            | 'related'
            | 'recordings'
            | 'chapters'
          )
        | string
      )[]
    }
    /** @description Changes in commit order. */
    readonly ChangeList: {
      readonly changes: readonly components['schemas']['Change'][]
      /** @description The value of `since` for the next request. */
      readonly next: number
      /** @description Id of the store; send it with the next request. */
      readonly store: string
    }
    /** @description A change to many records. */
    readonly Batch: {
      readonly id: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description What made the batch. */
      readonly kind:
        | 'import'
        | 'rename category'
        | 'rename speaker'
        | 'rename tag'
        | 'merge category'
        | 'merge speaker'
        | 'merge tag'
        | 'merge video'
        | 'undo'
        | 'bulk'
        | 'restore'
        | 'table'
      /** @description `stopped`: somebody or a restart stopped it before it was finished. Repeat the request to finish it, or undo it. */
      readonly state: 'running' | 'done' | 'stopped'
      /** @description Number of records in the batch. */
      readonly total: number
      /** @description Number of records processed so far. */
      readonly done: number
      /** @description Number of records changed. */
      readonly changed: number
      /** @description Number of records processed and not changed. */
      readonly unchanged: number
      /** @description Records whose change was refused: the first 1000, in lists the first ten. */
      readonly refused: readonly {
        /** @description Id of the record. */
        readonly id: number
        /** @description A problem code, such as `publisher_required`. */
        readonly problem: string
      }[]
      /** @description Number of records whose change was refused. */
      readonly refused_count: number
      /** @description Fields left unchanged: the first 1000 entries, in lists the first ten. */
      readonly left: readonly {
        /** @description Id of the record. */
        readonly id: number
        /** @description Empty for an erased record. */
        readonly fields: readonly (
          | (
              | 'category'
              | 'language'
              | 'speakers'
              | 'tags'
              | 'state'
              | 'title'
              | 'summary'
              | 'description'
              | 'quality_notes'
              | 'copyright_text'
              | 'embed'
              | 'thumbnail_url'
              | 'duration'
              | 'video_ogv_length'
              | 'video_ogv_url'
              | 'video_ogv_download_only'
              | 'video_mp4_length'
              | 'video_mp4_url'
              | 'video_mp4_download_only'
              | 'video_webm_length'
              | 'video_webm_url'
              | 'video_webm_download_only'
              | 'video_flv_length'
              | 'video_flv_url'
              | 'video_flv_download_only'
              | 'source_url'
              | 'whiteboard'
              | 'recorded'
              | 'related'
              | 'recordings'
              | 'chapters'
            )
          | string
        )[]
        /** @description Why the fields were left. `changed_since`: someone changed the field after the batch. */
        readonly why: 'changed_since' | 'already_restored' | 'already_draft' | 'erased'
      }[]
      /** @description Total number of entries that `left` stands for. */
      readonly left_count: number
      /** @description Names, categories and related links that the batch changed or left, the latter first: the first 1000, in lists the first ten. */
      readonly others: readonly {
        /** @description `video`: where the page of a record leads. */
        readonly kind: 'video' | 'speaker' | 'tag' | 'category'
        /** @description The id of the record, speaker or tag; the slug of the category. */
        readonly id: number | string
        /** @description `merged_into`: what it is an alias of, or what its page leads to. `listed`: whether it is public while it is empty. */
        readonly fields: readonly (
          | 'title'
          | 'description'
          | 'url'
          | 'start_date'
          | 'end_date'
          | 'place'
          | 'series'
          | 'whiteboard'
          | 'note'
          | 'links'
          | 'name'
          | 'merged_into'
          | 'listed'
        )[]
        /** @description Why it was left; null if it was changed. `in_use`: records still have it, or records of other authors are in it. */
        readonly left: 'changed_since' | 'in_use' | 'name_taken' | 'publisher_required' | null
        /** @description Who has changed it since. */
        readonly by: string | null
      }[]
      /**
       * @deprecated
       * @description Same as `changed`.
       */
      readonly records: number
      /** @description Id of the batch that this one undid, or null. */
      readonly undoes: number | null
      /** @description Id of the last batch that undid this one, or null. */
      readonly undone_by: number | null
    }
    readonly BatchReport: {
      readonly id: number | null
      readonly at: string
      readonly by: string
      readonly reason: string | null
      readonly kind:
        | 'import'
        | 'rename category'
        | 'rename speaker'
        | 'rename tag'
        | 'merge category'
        | 'merge speaker'
        | 'merge tag'
        | 'merge video'
        | 'undo'
        | 'bulk'
        | 'restore'
        | 'table'
      readonly state: 'running' | 'done' | 'stopped'
      readonly total: number
      readonly done: number
      readonly changed: number
      readonly unchanged: number
      readonly refused: readonly {
        readonly id: number
        readonly problem: string
      }[]
      readonly refused_count: number
      readonly left: readonly {
        readonly id: number
        readonly fields: readonly (
          | (
              | 'category'
              | 'language'
              | 'speakers'
              | 'tags'
              | 'state'
              | 'title'
              | 'summary'
              | 'description'
              | 'quality_notes'
              | 'copyright_text'
              | 'embed'
              | 'thumbnail_url'
              | 'duration'
              | 'video_ogv_length'
              | 'video_ogv_url'
              | 'video_ogv_download_only'
              | 'video_mp4_length'
              | 'video_mp4_url'
              | 'video_mp4_download_only'
              | 'video_webm_length'
              | 'video_webm_url'
              | 'video_webm_download_only'
              | 'video_flv_length'
              | 'video_flv_url'
              | 'video_flv_download_only'
              | 'source_url'
              | 'whiteboard'
              | 'recorded'
              | 'related'
              | 'recordings'
              | 'chapters'
            )
          | string
        )[]
        readonly why: 'changed_since' | 'already_restored' | 'already_draft' | 'erased'
      }[]
      readonly left_count: number
      readonly others: readonly {
        readonly kind: 'video' | 'speaker' | 'tag' | 'category'
        readonly id: number | string
        readonly fields: readonly (
          | 'title'
          | 'description'
          | 'url'
          | 'start_date'
          | 'end_date'
          | 'place'
          | 'series'
          | 'whiteboard'
          | 'note'
          | 'links'
          | 'name'
          | 'merged_into'
          | 'listed'
        )[]
        readonly left: 'changed_since' | 'in_use' | 'name_taken' | 'publisher_required' | null
        readonly by: string | null
      }[]
      /** @deprecated */
      readonly records: number
      readonly undoes: number | null
      readonly undone_by: number | null
    }
    /** @description Edits the text that each record has. `find` is literal, with case, and every occurrence is replaced. `cut_start` and `cut_end` remove a text from an end that has it; together with `prefix` or `suffix` they replace that end. `prefix` and `suffix` add a text to an end that does not have it yet. Records without a match, and empty texts, stay unchanged; a record whose result is invalid is refused (`bad_fields`). */
    readonly TextEdit:
      | {
          readonly find: string
          readonly replace: string
        }
      | {
          readonly cut_start: string
        }
      | {
          readonly prefix: string
        }
      | {
          readonly cut_start: string
          readonly prefix: string
        }
      | {
          readonly cut_end: string
        }
      | {
          readonly suffix: string
        }
      | {
          readonly cut_end: string
          readonly suffix: string
        }
    /** @description A merge patch for each record. Lists may also be changed by `add` and `remove`, speakers be split, and texts and the length be edited. `related` is about the related links. */
    readonly BulkPatch: {
      readonly category?: components['schemas']['VideoRecordChange']['category'] | components['schemas']['TextEdit']
      readonly language?: components['schemas']['VideoRecordChange']['language'] | components['schemas']['TextEdit']
      readonly slug?: components['schemas']['VideoRecordChange']['slug']
      readonly speakers?:
        | components['schemas']['VideoRecordChange']['speakers']
        | {
            readonly add?: readonly string[]
            readonly remove?: readonly string[]
          }
        | {
            /** @constant */
            readonly split: true
          }
      readonly tags?:
        | components['schemas']['VideoRecordChange']['tags']
        | {
            readonly add?: readonly string[]
            readonly remove?: readonly string[]
          }
      readonly state?: components['schemas']['VideoRecordChange']['state']
      readonly title?: components['schemas']['VideoRecordChange']['title'] | components['schemas']['TextEdit']
      readonly summary?: components['schemas']['VideoRecordChange']['summary'] | components['schemas']['TextEdit']
      readonly description?:
        | components['schemas']['VideoRecordChange']['description']
        | components['schemas']['TextEdit']
      readonly quality_notes?:
        | components['schemas']['VideoRecordChange']['quality_notes']
        | components['schemas']['TextEdit']
      readonly copyright_text?:
        | components['schemas']['VideoRecordChange']['copyright_text']
        | components['schemas']['TextEdit']
      readonly embed?: components['schemas']['VideoRecordChange']['embed'] | components['schemas']['TextEdit']
      readonly thumbnail_url?:
        | components['schemas']['VideoRecordChange']['thumbnail_url']
        | components['schemas']['TextEdit']
        | {
            /** @constant */
            readonly from_source: true
          }
      readonly duration?:
        | components['schemas']['VideoRecordChange']['duration']
        | (
            | {
                readonly multiply: number
                /** @constant */
                readonly if_plausible?: true
              }
            | {
                readonly divide: number
                /** @constant */
                readonly if_plausible?: true
              }
          )
      readonly video_ogv_length?: components['schemas']['VideoRecordChange']['video_ogv_length']
      readonly video_ogv_url?:
        | components['schemas']['VideoRecordChange']['video_ogv_url']
        | components['schemas']['TextEdit']
      readonly video_ogv_download_only?: components['schemas']['VideoRecordChange']['video_ogv_download_only']
      readonly video_mp4_length?: components['schemas']['VideoRecordChange']['video_mp4_length']
      readonly video_mp4_url?:
        | components['schemas']['VideoRecordChange']['video_mp4_url']
        | components['schemas']['TextEdit']
      readonly video_mp4_download_only?: components['schemas']['VideoRecordChange']['video_mp4_download_only']
      readonly video_webm_length?: components['schemas']['VideoRecordChange']['video_webm_length']
      readonly video_webm_url?:
        | components['schemas']['VideoRecordChange']['video_webm_url']
        | components['schemas']['TextEdit']
      readonly video_webm_download_only?: components['schemas']['VideoRecordChange']['video_webm_download_only']
      readonly video_flv_length?: components['schemas']['VideoRecordChange']['video_flv_length']
      readonly video_flv_url?:
        | components['schemas']['VideoRecordChange']['video_flv_url']
        | components['schemas']['TextEdit']
      readonly video_flv_download_only?: components['schemas']['VideoRecordChange']['video_flv_download_only']
      readonly source_url?: components['schemas']['VideoRecordChange']['source_url'] | components['schemas']['TextEdit']
      readonly whiteboard?: components['schemas']['VideoRecordChange']['whiteboard'] | components['schemas']['TextEdit']
      readonly recorded?: components['schemas']['VideoRecordChange']['recorded']
      readonly added?: components['schemas']['VideoRecordChange']['added']
      readonly updated?: components['schemas']['VideoRecordChange']['updated']
      /** @description Related links to add, unless a record has one with the same address, and addresses of links to remove. A record that would have too many is refused (`bad_fields`). */
      readonly related?: {
        readonly add?: readonly {
          /** @description http or https, without user info. */
          readonly url: string
          readonly label?: string
          /** @description Guessed from label and address if a PUT leaves it out. */
          readonly kind?: 'slides' | 'code' | 'paper' | 'notes' | 'schedule' | 'video' | 'discussion' | 'other'
        }[]
        readonly remove?: readonly string[]
      }
      /** @description A word or phrase to replace in transcripts: whole words, in the same case. */
      readonly transcripts?: {
        readonly find: string
        readonly replace: string
        /** @description Only in transcripts of this language. */
        readonly language?: string
      }
    }
    /** @description A change of many records: `select`, and either `patch` or `restore`. */
    readonly BulkChange: {
      /** @description Which records to change. */
      readonly select:
        | {
            readonly ids: readonly number[]
          }
        | {
            /** @description Filters as in the URL of the list, such as `category=x&tag=y`. A parameter that is unknown, empty, or about paging, order or shape is an error. */
            readonly query: string
          }
        | {
            /** @description Name of a token. */
            readonly by: string
            /** @description A day or time, UTC, included. */
            readonly since: string | unknown | unknown
            /** @description A day or time, UTC, included. Absent: until now. */
            readonly until?: string | unknown | unknown
          }
      readonly patch?: components['schemas']['BulkPatch']
      /**
       * @description With `by`: each field that the author changed gets its value from before their first change in that time, unless somebody else has changed it since. A record that they created becomes a draft. Related links, fields of categories, notes and links of speakers, renames and merges are restored in the same way; a category that they created and nobody else uses is hidden. `others` names all of these, and what was left.
       * @constant
       */
      readonly restore?: true
      /** @description As `Change-Reason`; wins over the header. */
      readonly reason?: string
      /** @description The number of records. If the selection has a different number, nothing changes: 409. Required with `query` and `by`. */
      readonly expect?: number
      /** @description The number that a dry run gave. Records of which a field in `patch` was changed later are refused. */
      readonly as_of?: number
      /** @description Change the other records even if some refuse. */
      readonly partial?: boolean
    }
    readonly BulkDryRun: {
      readonly id: number | null
      readonly at: string
      readonly by: string
      readonly reason: string | null
      readonly kind:
        | 'import'
        | 'rename category'
        | 'rename speaker'
        | 'rename tag'
        | 'merge category'
        | 'merge speaker'
        | 'merge tag'
        | 'merge video'
        | 'undo'
        | 'bulk'
        | 'restore'
        | 'table'
      readonly state: 'running' | 'done' | 'stopped'
      readonly total: number
      readonly done: number
      readonly changed: number
      readonly unchanged: number
      readonly refused: readonly {
        readonly id: number
        readonly problem: string
      }[]
      readonly refused_count: number
      readonly left: readonly {
        readonly id: number
        readonly fields: readonly (
          | (
              | 'category'
              | 'language'
              | 'speakers'
              | 'tags'
              | 'state'
              | 'title'
              | 'summary'
              | 'description'
              | 'quality_notes'
              | 'copyright_text'
              | 'embed'
              | 'thumbnail_url'
              | 'duration'
              | 'video_ogv_length'
              | 'video_ogv_url'
              | 'video_ogv_download_only'
              | 'video_mp4_length'
              | 'video_mp4_url'
              | 'video_mp4_download_only'
              | 'video_webm_length'
              | 'video_webm_url'
              | 'video_webm_download_only'
              | 'video_flv_length'
              | 'video_flv_url'
              | 'video_flv_download_only'
              | 'source_url'
              | 'whiteboard'
              | 'recorded'
              | 'related'
              | 'recordings'
              | 'chapters'
            )
          | string
        )[]
        readonly why: 'changed_since' | 'already_restored' | 'already_draft' | 'erased'
      }[]
      readonly left_count: number
      readonly others: readonly {
        readonly kind: 'video' | 'speaker' | 'tag' | 'category'
        readonly id: number | string
        readonly fields: readonly (
          | 'title'
          | 'description'
          | 'url'
          | 'start_date'
          | 'end_date'
          | 'place'
          | 'series'
          | 'whiteboard'
          | 'note'
          | 'links'
          | 'name'
          | 'merged_into'
          | 'listed'
        )[]
        readonly left: 'changed_since' | 'in_use' | 'name_taken' | 'publisher_required' | null
        readonly by: string | null
      }[]
      /** @deprecated */
      readonly records: number
      readonly undoes: number | null
      readonly undone_by: number | null
      readonly differences: readonly {
        readonly id: number
        readonly fields: {
          readonly [key: string]: {
            readonly before: unknown
            readonly after: unknown
          }
        }
      }[]
      readonly next: number | null
      readonly as_of: number
    }
    /** @description A speaker or a tag. */
    readonly Name: {
      readonly id: number
      readonly name: string
      /** @description Used in URLs; a rename changes it. */
      readonly slug: string
      /** @description Number of records. */
      readonly count: number
      /** @description Former names, and names that were merged into it, sorted. Only if you send a token. */
      readonly aliases?: readonly string[]
    }
    /** @description Its English name and the number of records. */
    readonly Language: {
      readonly name: string
      /** @description Number of records. */
      readonly count: number
    }
    /** @description Names that are probably the same. */
    readonly Variant: {
      /** @description How they differ: `alias` was merged into another of them and is written again; `case`, `space`, `accent` and `punctuation` are spellings, and `order` is the order of the words; `plural` and singular of English words are for tags only; `initials` stand for one full name; one `letter` of a long word differs. Of several differences the least certain is named. */
      readonly reason:
        | 'alias'
        | 'case'
        | 'space'
        | 'accent'
        | 'punctuation'
        | 'order'
        | 'plural'
        | 'initials'
        | 'letter'
      /** @description Id of the name that we suggest to keep: the best written one, then the most used. */
      readonly keep: number
      /** @description The most used first. */
      readonly names: readonly {
        readonly id: number
        readonly name: string
        readonly count: number
      }[]
    }
    /** @description Whether the names are hidden from the variants. */
    readonly Dismissed: {
      /** @description In ascending order. */
      readonly ids: readonly number[]
      readonly dismissed: boolean
    }
    /** @description A speaker, and what publishers say of them. */
    readonly Speaker: {
      readonly id: number
      readonly name: string
      /** @description Used in URLs; a rename changes it. */
      readonly slug: string
      /** @description Number of records. */
      readonly count: number
      /** @description What to know of the speaker, in Markdown. */
      readonly note: string
      /** @description Addresses of pages of the speaker, http or https. */
      readonly links: readonly string[]
      /** @description Former names, and names that were merged into it, sorted. Only if you send a token. */
      readonly aliases?: readonly string[]
    }
    readonly SpeakerChange: {
      readonly id?: number
      readonly name?: string
      readonly slug?: string
      readonly count?: number
      readonly note?: string
      readonly links?: readonly string[]
      readonly aliases?: readonly string[]
    }
    /** @description A version of the profile of a speaker. */
    readonly SpeakerVersionLine: {
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description The fields that the version changed. */
      readonly changed: readonly ('note' | 'links')[]
    }
    /** @description The profile of a speaker as of one version. */
    readonly SpeakerVersion: {
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description The fields that the version changed. Version 1 has no `from`. */
      readonly changed: {
        readonly [key: string]: {
          readonly from?: unknown
          readonly to: unknown
        }
      }
      /** @description The fields in this version. */
      readonly speaker: {
        /** @description Id of the record. */
        readonly id: number
        readonly note: string
        readonly links: readonly string[]
      }
    }
    /** @description Something that a curator should look at. */
    readonly Finding: {
      /** @description What was found. `finding` of the list takes the same codes. */
      readonly code:
        | 'missing_language'
        | 'missing_recorded'
        | 'missing_duration'
        | 'missing_speakers'
        | 'missing_tags'
        | 'missing_summary'
        | 'missing_description'
        | 'missing_thumbnail'
        | 'missing_source'
        | 'missing_licence'
        | 'missing_media'
        | 'missing_embed'
        | 'insecure_address'
        | 'playlist_address'
        | 'placeholder_text'
        | 'speaker_in_tags'
        | 'shouting_title'
        | 'odd_duration'
        | 'several_speakers'
        | 'outside_event'
        | 'same_video'
        | 'video_gone'
        | 'video_private'
        | 'video_not_embeddable'
        | 'video_moved'
        | 'file_gone'
        | 'link_gone'
        | 'transcript_repeats'
        | 'transcript_length'
      /** @description The field or companion to look at first. */
      readonly field:
        | 'category'
        | 'language'
        | 'slug'
        | 'speakers'
        | 'tags'
        | 'id'
        | 'state'
        | 'title'
        | 'summary'
        | 'description'
        | 'quality_notes'
        | 'copyright_text'
        | 'embed'
        | 'thumbnail_url'
        | 'duration'
        | 'video_ogv_length'
        | 'video_ogv_url'
        | 'video_ogv_download_only'
        | 'video_mp4_length'
        | 'video_mp4_url'
        | 'video_mp4_download_only'
        | 'video_webm_length'
        | 'video_webm_url'
        | 'video_webm_download_only'
        | 'video_flv_length'
        | 'video_flv_url'
        | 'video_flv_download_only'
        | 'source_url'
        | 'whiteboard'
        | 'recorded'
        | 'added'
        | 'updated'
        | 'related'
        | 'recordings'
        | 'chapters'
      /** @description What to do. */
      readonly detail: string
    }
    /** @description A finding that somebody has called fine as it is. */
    readonly AcceptedFinding: {
      /** @description What was found. `finding` of the list takes the same codes. */
      readonly code:
        | 'missing_language'
        | 'missing_recorded'
        | 'missing_duration'
        | 'missing_speakers'
        | 'missing_tags'
        | 'missing_summary'
        | 'missing_description'
        | 'missing_thumbnail'
        | 'missing_source'
        | 'missing_licence'
        | 'missing_media'
        | 'missing_embed'
        | 'insecure_address'
        | 'playlist_address'
        | 'placeholder_text'
        | 'speaker_in_tags'
        | 'shouting_title'
        | 'odd_duration'
        | 'several_speakers'
        | 'outside_event'
        | 'same_video'
        | 'video_gone'
        | 'video_private'
        | 'video_not_embeddable'
        | 'video_moved'
        | 'file_gone'
        | 'link_gone'
        | 'transcript_repeats'
        | 'transcript_length'
      /** @description The field or companion to look at first. */
      readonly field:
        | 'category'
        | 'language'
        | 'slug'
        | 'speakers'
        | 'tags'
        | 'id'
        | 'state'
        | 'title'
        | 'summary'
        | 'description'
        | 'quality_notes'
        | 'copyright_text'
        | 'embed'
        | 'thumbnail_url'
        | 'duration'
        | 'video_ogv_length'
        | 'video_ogv_url'
        | 'video_ogv_download_only'
        | 'video_mp4_length'
        | 'video_mp4_url'
        | 'video_mp4_download_only'
        | 'video_webm_length'
        | 'video_webm_url'
        | 'video_webm_download_only'
        | 'video_flv_length'
        | 'video_flv_url'
        | 'video_flv_download_only'
        | 'source_url'
        | 'whiteboard'
        | 'recorded'
        | 'added'
        | 'updated'
        | 'related'
        | 'recordings'
        | 'chapters'
      /** @description What to do. */
      readonly detail: string
      /** @description Name of the token of the person. */
      readonly by: string
      /** @description When, in UTC. */
      readonly at: string
    }
    /** @description The findings of a record, without those that are hidden for all. */
    readonly FindingList: {
      readonly results: readonly components['schemas']['Finding'][]
      /** @description Fine as they are, until a field that they depend on changes. */
      readonly accepted: readonly components['schemas']['AcceptedFinding'][]
      /** @description Send it when you accept a finding. */
      readonly as_of: number
    }
    /** @description Whether a finding is hidden for all. */
    readonly HiddenFinding: {
      /** @description What was found. `finding` of the list takes the same codes. */
      readonly code:
        | 'missing_language'
        | 'missing_recorded'
        | 'missing_duration'
        | 'missing_speakers'
        | 'missing_tags'
        | 'missing_summary'
        | 'missing_description'
        | 'missing_thumbnail'
        | 'missing_source'
        | 'missing_licence'
        | 'missing_media'
        | 'missing_embed'
        | 'insecure_address'
        | 'playlist_address'
        | 'placeholder_text'
        | 'speaker_in_tags'
        | 'shouting_title'
        | 'odd_duration'
        | 'several_speakers'
        | 'outside_event'
        | 'same_video'
        | 'video_gone'
        | 'video_private'
        | 'video_not_embeddable'
        | 'video_moved'
        | 'file_gone'
        | 'link_gone'
        | 'transcript_repeats'
        | 'transcript_length'
      readonly hidden: boolean
    }
    /** @description How many records of a category have a finding. */
    readonly FindingCount: {
      /** @description What was found. `finding` of the list takes the same codes. */
      readonly code:
        | 'missing_language'
        | 'missing_recorded'
        | 'missing_duration'
        | 'missing_speakers'
        | 'missing_tags'
        | 'missing_summary'
        | 'missing_description'
        | 'missing_thumbnail'
        | 'missing_source'
        | 'missing_licence'
        | 'missing_media'
        | 'missing_embed'
        | 'insecure_address'
        | 'playlist_address'
        | 'placeholder_text'
        | 'speaker_in_tags'
        | 'shouting_title'
        | 'odd_duration'
        | 'several_speakers'
        | 'outside_event'
        | 'same_video'
        | 'video_gone'
        | 'video_private'
        | 'video_not_embeddable'
        | 'video_moved'
        | 'file_gone'
        | 'link_gone'
        | 'transcript_repeats'
        | 'transcript_length'
      /** @description Title of the category. */
      readonly category: string
      /** @description Slug of the category. */
      readonly slug: string
      /** @description Number of records, drafts included. */
      readonly count: number
    }
    /** @description A page of counts, the largest first. */
    readonly FindingCountList: {
      /** @description Total number of results on all pages. */
      readonly count: number
      /** @description URL of the next page, or null. */
      readonly next: string | null
      /** @description URL of the previous page, or null. */
      readonly previous: string | null
      readonly results: readonly components['schemas']['FindingCount'][]
      /** @description How many records have each finding, over all pages. */
      readonly totals: readonly {
        /** @description What was found. `finding` of the list takes the same codes. */
        readonly code:
          | 'missing_language'
          | 'missing_recorded'
          | 'missing_duration'
          | 'missing_speakers'
          | 'missing_tags'
          | 'missing_summary'
          | 'missing_description'
          | 'missing_thumbnail'
          | 'missing_source'
          | 'missing_licence'
          | 'missing_media'
          | 'missing_embed'
          | 'insecure_address'
          | 'playlist_address'
          | 'placeholder_text'
          | 'speaker_in_tags'
          | 'shouting_title'
          | 'odd_duration'
          | 'several_speakers'
          | 'outside_event'
          | 'same_video'
          | 'video_gone'
          | 'video_private'
          | 'video_not_embeddable'
          | 'video_moved'
          | 'file_gone'
          | 'link_gone'
          | 'transcript_repeats'
          | 'transcript_length'
        /** @description Number of records, drafts included. */
        readonly count: number
      }[]
      /** @description Findings that are hidden for all. Results and totals leave them out, unless `code` names one. */
      readonly hidden: readonly {
        /** @description What was found. `finding` of the list takes the same codes. */
        readonly code:
          | 'missing_language'
          | 'missing_recorded'
          | 'missing_duration'
          | 'missing_speakers'
          | 'missing_tags'
          | 'missing_summary'
          | 'missing_description'
          | 'missing_thumbnail'
          | 'missing_source'
          | 'missing_licence'
          | 'missing_media'
          | 'missing_embed'
          | 'insecure_address'
          | 'playlist_address'
          | 'placeholder_text'
          | 'speaker_in_tags'
          | 'shouting_title'
          | 'odd_duration'
          | 'several_speakers'
          | 'outside_event'
          | 'same_video'
          | 'video_gone'
          | 'video_private'
          | 'video_not_embeddable'
          | 'video_moved'
          | 'file_gone'
          | 'link_gone'
          | 'transcript_repeats'
          | 'transcript_length'
        /** @description Name of the token of the person. */
        readonly by: string
        /** @description When, in UTC. */
        readonly at: string
        /** @description Number of records, drafts included. */
        readonly count: number
      }[]
    }
    /** @description Records that may be the same talk. */
    readonly Duplicates: {
      /** @description `same_video`: the same video and start time, in any form of the address, as in `source_url` of the list. `same_title`: the same title in the same category, apart from case and accents. */
      readonly reason: 'same_video' | 'same_title'
      /** @description Ids, ascending. */
      readonly ids: readonly number[]
    }
    /** @description An address that records have, with its state. */
    readonly Link: {
      readonly url: string
      /** @description In lower case, without the port. */
      readonly host: string
      readonly state: 'ok' | 'moved' | 'gone' | 'private' | 'not_embeddable' | 'unknown'
      /** @description When it got this state; null if it was never checked. */
      readonly since: string | null
      /** @description Counted since the last success. */
      readonly failures: number
      /** @description HTTP status of the last answer; null if there was none. */
      readonly status: number | null
      /** @description The last success. */
      readonly last_ok: string | null
      /** @description The last check. */
      readonly checked: string | null
      /** @description What the host answered. */
      readonly evidence: string
      /** @description Where it has moved to. */
      readonly target: string | null
      /** @description Ids of its records, ascending. */
      readonly videos: readonly number[]
    }
    /** @description How many addresses of a category are at a host, by state. */
    readonly LinkReportLine: {
      /** @description Title of the category. */
      readonly category: string
      readonly slug: string
      readonly host: string
      readonly ok: number
      readonly moved: number
      readonly gone: number
      readonly private: number
      readonly not_embeddable: number
      readonly unknown: number
    }
    /** @description Moved addresses to replace with their targets. */
    readonly MovedLinks: {
      /** @description Which moved addresses to accept. */
      readonly select:
        | {
            readonly query: string
          }
        | {
            readonly urls: readonly string[]
          }
      /** @description Number of records. Required, except in a dry run, which reports it. */
      readonly expect?: number
      readonly reason?: string
      /** @description Of the dry run: a record whose addresses were changed later is refused. */
      readonly as_of?: number
      /** @description Change the other records if some cannot be changed. */
      readonly partial?: boolean
    }
    /** @description An address that is fine, whatever its host answers. */
    readonly IgnoredLink: {
      readonly url: string
      /** @description A day or a time in UTC, at most a year ahead; null to check the address again. */
      readonly until: string | null
    }
    /** @description What to merge into, and which fields to take over. */
    readonly RecordMerge: {
      /** @description Id of the record that stays live. */
      readonly into: number
      /** @description Fields whose values go to the record that stays. */
      readonly take?: readonly (
        | 'category'
        | 'language'
        | 'speakers'
        | 'tags'
        | 'title'
        | 'summary'
        | 'description'
        | 'quality_notes'
        | 'copyright_text'
        | 'embed'
        | 'thumbnail_url'
        | 'duration'
        | 'video_ogv_length'
        | 'video_ogv_url'
        | 'video_ogv_download_only'
        | 'video_mp4_length'
        | 'video_mp4_url'
        | 'video_mp4_download_only'
        | 'video_webm_length'
        | 'video_webm_url'
        | 'video_webm_download_only'
        | 'video_flv_length'
        | 'video_flv_url'
        | 'video_flv_download_only'
        | 'source_url'
        | 'whiteboard'
        | 'recorded'
      )[]
    }
    /** @description Pages about a talk elsewhere. */
    readonly RelatedLinks: {
      readonly links: readonly {
        /** @description http or https, without user info. */
        readonly url: string
        readonly label?: string
        /** @description Guessed from label and address if a PUT leaves it out. */
        readonly kind?: 'slides' | 'code' | 'paper' | 'notes' | 'schedule' | 'video' | 'discussion' | 'other'
      }[]
    }
    /** @description Where a talk can be watched, its own addresses first. */
    readonly Recordings: {
      /** @description At most 20, without those that the record itself has. */
      readonly recordings: readonly {
        /** @description http or https, without user info. */
        readonly url: string
        /** @description `page`: plays it. `file`: is it. Guessed if a PUT leaves it out. */
        readonly kind?: 'page' | 'file'
        /** @description The language spoken in it, if it is not that of the record. */
        readonly language?: string
        readonly note?: string
        /** @description True for those that the record itself has; they change with the record only, and are ignored in a PUT. */
        readonly own?: boolean
        /** @description State of the address. Ignored in a PUT. */
        readonly state?: 'ok' | 'moved' | 'gone' | 'private' | 'not_embeddable' | 'unknown'
      }[]
    }
    /** @description The parts of a talk. */
    readonly Chapters: {
      readonly chapters: readonly {
        /** @description In seconds. Each chapter starts after the one before. */
        readonly start: number
        readonly title: string
        /** @description Left out, it lasts until the next one. */
        readonly end?: number
        /** @description The id of the record that this part is. Left out for the public while that is a draft. */
        readonly video?: number
      }[]
    }
    /** @description The transcripts of a talk. */
    readonly TranscriptList: {
      readonly transcripts: readonly {
        /** @description BCP 47. */
        readonly language: string
        readonly origin: 'human' | 'machine' | 'reviewed' | 'translated'
        /** @description Program that created it. */
        readonly tool: string | null
        readonly cues: number
        /** @description In seconds: the end of the last cue. */
        readonly end: number
        /** @description The version of the record that stored it. */
        readonly version: number
        readonly etag: string
      }[]
    }
    /** @description A transcript as Podcasting 2.0 has it; times in seconds. */
    readonly Transcript: {
      readonly version: string
      readonly segments: readonly {
        readonly speaker?: string
        readonly startTime: number
        readonly endTime: number
        readonly body: string
      }[]
    }
    /** @description An event or group of talks. */
    readonly Category: {
      /** @description Title of the category, as in its records. */
      readonly title: string
      /** @description Used in URLs; never changes. */
      readonly slug: string
      /** @description Full description. */
      readonly description: string
      /** @description Absolute URL of the website of the event. */
      readonly url: string
      /** @description First day of the event; null if unknown. */
      readonly start_date: string | null
      /** @description Last day of the event, not before start_date; null if unknown. */
      readonly end_date: string | null
      /** @description Where the event takes place, such as a city and a country. */
      readonly place: string
      /** @description What the event is an edition of. Categories of an equal series are its editions. */
      readonly series: string
      /** @description Notes for curators. */
      readonly whiteboard: string
      /** @description Time of creation, UTC. */
      readonly added: string
      /** @description URLs of its records, newest first. Drafts are included if you send a token. */
      readonly videos: readonly string[]
    }
    readonly CategoryChange: {
      readonly title?: string
      readonly slug?: string
      readonly description?: string
      readonly url?: string
      readonly start_date?: string | null
      readonly end_date?: string | null
      readonly place?: string
      readonly series?: string
      readonly whiteboard?: string
      readonly added?: string
      readonly videos?: readonly string[]
    }
    readonly NewCategory: {
      readonly title: string
      readonly slug?: string
      readonly description?: string
      readonly url?: string
      readonly start_date?: string | null
      readonly end_date?: string | null
      readonly place?: string
      readonly series?: string
      readonly whiteboard?: string
      readonly added?: string
      readonly videos?: readonly string[]
    }
    /** @description A version of a category. */
    readonly CategoryVersionLine: {
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description The fields that the version changed. */
      readonly changed: readonly (
        | 'title'
        | 'description'
        | 'url'
        | 'start_date'
        | 'end_date'
        | 'place'
        | 'series'
        | 'whiteboard'
      )[]
    }
    /** @description A category as of one version. */
    readonly CategoryVersion: {
      /** @description Version number, starting at 1. */
      readonly version: number
      /** @description Time of the change in UTC, with `Z`. */
      readonly at: string
      /** @description Name of the token that made the change. */
      readonly by: string
      /** @description The `Change-Reason` of the request, or null. */
      readonly reason: string | null
      /** @description The fields that the version changed. Version 1 has no `from`. */
      readonly changed: {
        readonly [key: string]: {
          readonly from?: unknown
          readonly to: unknown
        }
      }
      /** @description The category’s own fields in this version. */
      readonly category: {
        readonly title: string
        readonly slug: string
        readonly description: string
        readonly url: string
        readonly start_date: string | null
        readonly end_date: string | null
        readonly place: string
        readonly series: string
        readonly whiteboard: string
      }
    }
    /** @description An error (RFC 9457). `detail` says what to do. */
    readonly Problem: {
      /** @description Identifies the kind of problem. */
      readonly type: string
      readonly title: string
      readonly status: number
      /** @description What went wrong and what to do about it. */
      readonly detail: string
      /** @description The request id, which also appears in the log. */
      readonly instance: string
      /** @description For an invalid body or parameter: the errors of each field. */
      readonly errors?: {
        readonly [key: string]: readonly string[]
      }
      /** @description For a title that is taken, or a merged category (409): the current slug. */
      readonly slug?: string
      /** @description For a name that is taken, or a merged one (409): the current id. */
      readonly id?: number
      /** @description For a bulk change (403, 409): every record that refuses it. */
      readonly refused?: readonly {
        /** @description Id of the record. */
        readonly id: number
        /** @description A problem code, such as `publisher_required`. */
        readonly problem: string
      }[]
      /** @description For a bulk change (400, 409): the number of records that it selects. */
      readonly count?: number
      /** @description For a replaced store (409): id of the current store. */
      readonly store?: string
      /** @description For a failed precondition (412): the current version of the record. */
      readonly current?: {
        readonly version: number
        readonly etag: string
        readonly updated: string
      }
      /** @description For a failed precondition (412), for each changed field: its value in the version you named, if that is known (`base`), its current value (`theirs`), and the value in your request (`yours`). */
      readonly fields?: {
        readonly [key: string]: {
          readonly base?: unknown
          readonly theirs: unknown
          readonly yours?: unknown
        }
      }
      /** @description For a failed precondition (412): the fields that both sides changed to different values. */
      readonly conflicts?: readonly string[]
    }
    readonly VideoFilters: {
      /** @description Full-text search. Unless `match` is `best`, every word must match a word or the start of one. `"a phrase"` matches words in this order, `-word` excludes. At most 200 characters and 16 words, those of phrases included. Best match first. */
      readonly q?: string
      /** @description `all`: every word of `q` must match. `best`: the same with other forms and corrected spellings, and if few records have all words, those with some of them (`match_is`). */
      readonly match?: 'all' | 'best'
      /** @description 1 = each result is `{"record", "highlight"}` and shows where `q` matches. */
      readonly highlight?: 0 | 1
      /** @description Slug or exact title of a category. */
      readonly category?: string
      /** @description Part of a speaker’s name; ignores case and accents. Can be repeated up to four times. */
      readonly speaker?: string | readonly string[]
      /** @description Part of a tag; ignores case and accents. Can be repeated up to four times. */
      readonly tag?: string | readonly string[]
      /** @description Id of a speaker. Can be repeated up to four times: records that have all of them. */
      readonly speaker_id?: number | readonly number[]
      /** @description Id of a tag. Can be repeated up to four times: records that have all of them. */
      readonly tag_id?: number | readonly number[]
      /** @description English name or code of the language. */
      readonly language?: string
      /** @description Recorded on or after this day. */
      readonly recorded_after?: string
      /** @description Recorded on or before this day. */
      readonly recorded_before?: string
      /** @description Minimum duration in seconds. */
      readonly duration_min?: number
      /** @description Maximum duration in seconds. */
      readonly duration_max?: number
      /** @description Comma-separated media, and what its companions have: `mp4`, `webm`, `ogv`, `flv`, `embed`, `thumbnail`, `slides`, `code`, `paper`, `notes`, `schedule`, `video`, `discussion`, `other`, `recordings`, `chapters`, `transcript`. */
      readonly has?: string
      /** @description Comma-separated media of which the record must have at least one: `mp4`, `webm`, `ogv`, `flv`, `embed`, `thumbnail`. */
      readonly has_any?: string
      /** @description 0 = without a transcript, 1 = with one; or with one of this origin. */
      readonly transcript?: '0' | '1' | 'human' | 'machine' | 'reviewed' | 'translated'
      /** @description Language tag of a transcript; `en` also finds `en-GB`. A search in transcripts searches only these. */
      readonly transcript_language?: string
      /** @description URL of the original video. Any YouTube or Vimeo URL form of the same video and start time matches; other URLs must be equal. */
      readonly source_url?: string
      /** @description Comma-separated record ids, at most 100. */
      readonly id?: string
      /** @description Comma-separated fields and parts of companions of which the record must lack each: `language`, `recorded`, `duration`, `speakers`, `tags`, `summary`, `description`, `thumbnail`, `source`, `licence`, `media`, `embed`, `slides`, `code`, `paper`, `notes`, `schedule`, `video`, `discussion`, `other`, `recordings`, `chapters`, `transcript`. */
      readonly missing?: string
      /** @description Comma-separated findings of which the record must have each: `missing_language`, `missing_recorded`, `missing_duration`, `missing_speakers`, `missing_tags`, `missing_summary`, `missing_description`, `missing_thumbnail`, `missing_source`, `missing_licence`, `missing_media`, `missing_embed`, `insecure_address`, `playlist_address`, `placeholder_text`, `speaker_in_tags`, `shouting_title`, `odd_duration`, `several_speakers`, `outside_event`, `same_video`, `video_gone`, `video_private`, `video_not_embeddable`, `video_moved`, `file_gone`, `link_gone`, `transcript_repeats`, `transcript_length`. */
      readonly finding?: string
      /** @description State of an address that the record must have: a source, a file, a related link, … Needs a token. */
      readonly link?: 'gone' | 'moved' | 'private' | 'not_embeddable'
      /** @description 1 = only records with a recording that is not known to be gone or private, 0 = only others. */
      readonly watchable?: 0 | 1
      /** @description 1 = only drafts that become live at a set time, or have failed to. Needs a token. */
      readonly scheduled?: 1
      /** @description 1 = only records with a whiteboard, 0 = only records without. */
      readonly whiteboard?: 0 | 1
      /** @description 1 = only records whose whiteboard begins with `[parked]`, and merged drafts, 0 = only others. Curators park drafts that nobody will finish. */
      readonly parked?: 0 | 1
      /** @description Host of `source_url`, with or without `www.`, such as `youtube.com`. Other names of it differ. */
      readonly host?: string
      /** @description Name of the token that made the newest version. Needs a token. */
      readonly by?: string
      /** @description Added on or after this day, or at or after this time. Days are `YYYY-MM-DD`, times `YYYY-MM-DDThh:mm:ss`, both in UTC. */
      readonly added_after?: string
      /** @description Added on or before this day, or at or before this time. Days are `YYYY-MM-DD`, times `YYYY-MM-DDThh:mm:ss`, both in UTC. */
      readonly added_before?: string
      /** @description Last changed on or after this day, or at or after this time. Days are `YYYY-MM-DD`, times `YYYY-MM-DDThh:mm:ss`, both in UTC. */
      readonly updated_after?: string
      /** @description Last changed on or before this day, or at or before this time. Days are `YYYY-MM-DD`, times `YYYY-MM-DDThh:mm:ss`, both in UTC. */
      readonly updated_before?: string
      /** @description 1 = live, 2 = draft. Drafts need a token. */
      readonly state?: 1 | 2
      /** @description Comma-separated sort keys: `added`, `updated`, `recorded`, `title`, `duration`, `id`. `-` reverses the order. */
      readonly ordering?: string
      /** @description Page number, starting at 1, or `last`. A page past the end is 404. */
      readonly page?: number | 'last'
      /** @description Results per page. Values above 100 count as 100. */
      readonly page_size?: number
      /** @description Cursor pagination, which costs the same at any depth. Empty for the first page; then follow `next`. */
      readonly cursor?: string
      /** @description Comma-separated fields to return, such as `id`, `title`. */
      readonly fields?: string
      /** @description Comma-separated facets to count over all matching records: `category`, `speaker`, `tag`, `language`, `year`. */
      readonly facets?: string
    }
  }
}

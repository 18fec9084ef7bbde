// Generated from the OpenAPI document by scripts/client-types.ts. Do not edit.

type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: T[P]
}

export interface components {
  schemas: {
    /** @description One recorded talk. Always has exactly these fields, in this order. */
    VideoRecord: {
      /** @description Title of the event or group that the talk belongs to. Created if it does not exist. */
      category: string
      /** @description Language of the talk: English name, or a code such as en or eng. */
      language: string
      /** @description Made from the title, used in URLs; never changes. */
      readonly slug: string
      /** @description Names of the speakers, in order. */
      speakers: string[]
      /** @description Tags, in order. */
      tags: string[]
      /** @description Id of the record. */
      readonly id: number
      /** @description 1 = live, 2 = draft. If omitted, a new record is a draft and an existing one keeps its state. */
      state: 1 | 2
      /** @description Title of the talk. */
      title: string
      /** @description Short description of the talk. */
      summary: string
      /** @description Full description of the talk. */
      description: string
      /** @description Known problems of the recording. */
      quality_notes: string
      /** @description Licence of the recording. */
      copyright_text: string
      /** @description Player markup. If omitted, it is built from source_url for known hosts. */
      embed: string
      /** @description Absolute URL of a thumbnail image. */
      thumbnail_url: string
      /** @description Length in seconds; null if unknown. */
      duration: number | null
      /** @description Size of the ogv file in bytes. */
      video_ogv_length: number | null
      /** @description Absolute URL of the ogv file. */
      video_ogv_url: string | null
      /** @description True if the ogv file is only for downloading. */
      video_ogv_download_only: boolean
      /** @description Size of the mp4 file in bytes. */
      video_mp4_length: number | null
      /** @description Absolute URL of the mp4 file. */
      video_mp4_url: string | null
      /** @description True if the mp4 file is only for downloading. */
      video_mp4_download_only: boolean
      /** @description Size of the webm file in bytes. */
      video_webm_length: number | null
      /** @description Absolute URL of the webm file. */
      video_webm_url: string | null
      /** @description True if the webm file is only for downloading. */
      video_webm_download_only: boolean
      /** @description Size of the flv file in bytes. */
      video_flv_length: number | null
      /** @description Absolute URL of the flv file. */
      video_flv_url: string | null
      /** @description True if the flv file is only for downloading. */
      video_flv_download_only: boolean
      /** @description Absolute URL of the original hosted video. */
      source_url: string
      /** @description Notes for curators. */
      whiteboard: string
      /** @description Day of the recording; null if unknown. */
      recorded: string | null
      /** @description Time of creation, UTC. */
      readonly added: string
      /** @description Time of the last change, UTC. */
      readonly updated: string
    }
    VideoRecordChange: {
      category?: string
      language?: string
      readonly slug?: unknown
      speakers?: string[]
      tags?: string[]
      readonly id?: unknown
      state?: 1 | 2
      title?: string
      summary?: string
      description?: string
      quality_notes?: string
      copyright_text?: string
      embed?: string
      thumbnail_url?: string | null
      duration?: number | null
      video_ogv_length?: number | null
      video_ogv_url?: string | null
      video_ogv_download_only?: boolean
      video_mp4_length?: number | null
      video_mp4_url?: string | null
      video_mp4_download_only?: boolean
      video_webm_length?: number | null
      video_webm_url?: string | null
      video_webm_download_only?: boolean
      video_flv_length?: number | null
      video_flv_url?: string | null
      video_flv_download_only?: boolean
      source_url?: string | null
      whiteboard?: string
      recorded?: string | null
      readonly added?: unknown
      readonly updated?: unknown
    }
    NewVideoRecord: WithRequired<components['schemas']['VideoRecordChange'], 'category' | 'title'>
    VersionLine: {
      version: number
      at: string
      by: string
      reason: string | null
      kind: 'created' | 'updated' | 'withdrawn'
      batch: number | null
      changed: (
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
      )[]
    }
    Change: {
      seq: number
      id: number
      version: number
      at: string
      kind: 'created' | 'updated' | 'withdrawn'
    }
    ChangeList: {
      changes: components['schemas']['Change'][]
      next: number
      store: string
    }
    Highlight: {
      title: [number, number][]
      passage: components['schemas']['Passage'] | null
    }
    Passage: {
      field: 'summary' | 'description' | 'speakers' | 'tags' | 'category'
      text: string
      marks: [number, number][]
    }
    Suggestion: {
      kind: 'speaker' | 'category' | 'tag' | 'video'
      text: string
      url: string
      count: number
    }
    Problem: {
      type: string
      title: string
      status: number
      detail: string
      instance: string
      errors?: {
        [key: string]: string[]
      }
      slug?: string
      store?: string
      current?: {
        version: number
        etag: string
        updated: string
      }
      fields?: {
        [key: string]: {
          base?: unknown
          theirs: unknown
          yours?: unknown
        }
      }
      conflicts?: string[]
    }
    VideoFilters: {
      /** @description Full-text search. Unless `match` is `best`, every word must match a word or the start of one. `"a phrase"` matches words in this order, `-word` excludes. Best match first. */
      q?: string
      /** @description `all`: every word of `q` must match. `best`: records with most of the words, best first; a word also matches its nearest spellings and other forms. */
      match?: 'all' | 'best'
      /** @description 1 = each result is `{"record", "highlight"}` and shows where `q` matches. */
      highlight?: 0 | 1
      /** @description Slug or exact title of a category. */
      category?: string
      /** @description Part of a speaker’s name; ignores case and accents. Can be repeated up to four times. */
      speaker?: string | string[]
      /** @description Part of a tag; ignores case and accents. Can be repeated up to four times. */
      tag?: string | string[]
      /** @description Id of a speaker. Can be repeated up to four times: records that have all of them. */
      speaker_id?: number | number[]
      /** @description Id of a tag. Can be repeated up to four times: records that have all of them. */
      tag_id?: number | number[]
      /** @description English name or code of the language. */
      language?: string
      /** @description Recorded on or after this day. */
      recorded_after?: string
      /** @description Recorded on or before this day. */
      recorded_before?: string
      /** @description Minimum duration in seconds. */
      duration_min?: number
      /** @description Maximum duration in seconds. */
      duration_max?: number
      /** @description Comma-separated media that the record must have: `mp4`, `webm`, `ogv`, `flv`, `embed`, `thumbnail`. */
      has?: string
      /** @description Comma-separated media of which the record must have at least one: `mp4`, `webm`, `ogv`, `flv`, `embed`, `thumbnail`. */
      has_any?: string
      /** @description URL of the original video. Any YouTube or Vimeo URL form of the same video and start time matches; other URLs must be equal. */
      source_url?: string
      /** @description Comma-separated record ids, at most 100. */
      id?: string
      /** @description 1 = live, 2 = draft. Drafts need a token. */
      state?: 1 | 2
      /** @description Comma-separated sort keys: `added`, `updated`, `recorded`, `title`, `duration`, `id`. `-` reverses the order. */
      ordering?: string
      /** @description Page number, starting at 1, or `last`. A page past the end is 404. */
      page?: number | 'last'
      /** @description Results per page. Values above 100 count as 100. */
      page_size?: number
      /** @description Cursor pagination, which costs the same at any depth. Empty for the first page; then follow `next`. */
      cursor?: string
      /** @description Comma-separated fields to return, such as `id`, `title`. */
      fields?: string
      /** @description Comma-separated facets to count over all matching records: `category`, `speaker`, `tag`, `language`, `year`. */
      facets?: string
    }
  }
}

import { expect } from 'bun:test'
import type { Fields } from './service.ts'

type Check = (value: unknown) => boolean

const isString: Check = (value) => typeof value === 'string'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isStrings: Check = (value) => Array.isArray(value) && value.every(isString)
const isId: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0
const isState: Check = (value) => value === 1 || value === 2
const isSlug: Check = (value) => typeof value === 'string' && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value)
const isCount: Check = (value) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
const isUrl: Check = (value) => value === null || isString(value)
const isDay: Check = (value) => value === null || /^\d{4}-\d\d-\d\d$/.test(String(value))
const isTime: Check = (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/.test(String(value))

/** The document's table, in its order. */
const checks: Readonly<Record<string, Check>> = {
  category: isString,
  language: isString,
  slug: isSlug,
  speakers: isStrings,
  tags: isStrings,
  id: isId,
  state: isState,
  title: isString,
  summary: isString,
  description: isString,
  quality_notes: isString,
  copyright_text: isString,
  embed: isString,
  thumbnail_url: isString,
  duration: isCount,
  video_ogv_length: isCount,
  video_ogv_url: isUrl,
  video_ogv_download_only: isBoolean,
  video_mp4_length: isCount,
  video_mp4_url: isUrl,
  video_mp4_download_only: isBoolean,
  video_webm_length: isCount,
  video_webm_url: isUrl,
  video_webm_download_only: isBoolean,
  video_flv_length: isCount,
  video_flv_url: isUrl,
  video_flv_download_only: isBoolean,
  source_url: isString,
  whiteboard: isString,
  recorded: isDay,
  added: isTime,
  updated: isTime,
}

export const fieldNames: readonly string[] = Object.keys(checks)

export const formats = ['ogv', 'mp4', 'webm', 'flv'] as const

/** Exactly the fields of the table, in its order and types, in bytes that are inert as HTML. */
export function checkRecord(record: Fields, body: string): void {
  expect(Object.keys(record)).toEqual([...fieldNames])
  const wrong = Object.entries(checks).filter(([name, check]) => !check(record[name]))
  expect(wrong.map(([name]) => [name, record[name]])).toEqual([])
  expect(body).not.toMatch(/[^\x20-\x7f]|[<>&]/)
}

/** The bytes that the contract wants for a record without control characters. */
export function toExpectedBody(record: Fields): string {
  const ordered = fieldNames.map((name) => [name, record[name]])
  return JSON.stringify(Object.fromEntries(ordered)).replace(/[<>&\u0080-\uffff]/g, toEscape)
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

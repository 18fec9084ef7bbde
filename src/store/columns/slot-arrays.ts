import { mediaKinds } from '../../record/fields.ts'

/** The values of all records, one per slot, and their arrays. */
export const slotArrayTypes = {
  /** 0: no record, or an erased one. */
  states: Uint8Array,
  categories: Uint32Array,
  languages: Uint16Array,
  /** Days since 1970-01-01. */
  days: Int32Array,
  /** The year plus one; 0 if the day is unknown. */
  years: Uint16Array,
  /** In seconds; -1 if unknown. */
  durations: Int32Array,
  /** One bit per entry of `mediaKinds`, and `sourceBit`. */
  media: Uint8Array,
  /** The seq of the version by which the record became live; 0 if it is not live, or if that is unknown (decision 47). */
  liveSeqs: Float64Array,
  /** Findings and whiteboard, as bits (decision 53). */
  qualities: Uint32Array,
  /** Numbers of hosts and authors. */
  hosts: Uint32Array,
  authors: Uint32Array,
  /** Milliseconds since 1970. */
  addedMs: Float64Array,
  updatedMs: Float64Array,
  /** Hashes of canonical source URLs; 0 without one. */
  videos: Float64Array,
} as const

type ArrayTypes = typeof slotArrayTypes
export type SlotArrayName = keyof ArrayTypes
/** One value per slot. */
export type SlotArrays = { readonly [N in SlotArrayName]: InstanceType<ArrayTypes[N]> }

// True because `slotArrayTypes` is a literal: Object.keys returns exactly its own keys.
export const slotArrayNames = Object.keys(slotArrayTypes) as SlotArrayName[]

/** Slots with a flag of 1. Valid until the columns change. */
export interface SlotSet {
  /** One byte per slot, 0 or 1. */
  readonly flags: Uint8Array
  readonly count: number
}

export const unknownDay = -0x80000000
/** Set in `media` if the record has a source URL. */
export const sourceBit = 1 << mediaKinds.length
export const dead = 0
export const live = 1

/** Larger arrays with the values of old ones. */
export function createArrays(size: number, old: SlotArrays | null): SlotArrays {
  return toArrays((name) => {
    const array = new slotArrayTypes[name](size)
    if (old !== null) array.set(old[name])
    return array
  })
}

function toArrays(make: (name: SlotArrayName) => SlotArrays[SlotArrayName]): SlotArrays {
  // Each name gets an array of its own type, which TypeScript cannot follow through a union of names.
  return Object.fromEntries(slotArrayNames.map((name) => [name, make(name)])) as unknown as SlotArrays
}

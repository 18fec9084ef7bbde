/** What a program did to files, in order. `inode` tells files apart, whatever they are called. */
export type Operation =
  | { readonly is: 'write'; readonly inode: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly is: 'truncate'; readonly inode: string; readonly size: number }
  /** Of a file: its bytes are on disk. Of a folder: its names are. */
  | { readonly is: 'sync'; readonly inode: string }
  /** One change of names, which a disk has whole or not at all: a rename takes one name away and gives another. */
  | { readonly is: 'names'; readonly changes: readonly NameChange[] }

export interface NameChange {
  readonly folder: string
  readonly name: string
  /** Null: the name is gone. */
  readonly inode: string | null
}

/** A disk as it was before the program began. All of it is durable. */
interface StartDisk {
  readonly root: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Folders with their names. */
  readonly folders: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export interface Trace {
  readonly start: StartDisk
  readonly operations: readonly Operation[]
}

import { readSetting } from '../settings/config.ts'
import { settings } from '../settings/settings.ts'
import type { Engine } from '../store/engine.ts'
import { explainFailure, explainFile } from '../store/explain-failure.ts'
import { toSnapshotPlace, wipeSnapshot } from '../store/search/snapshot-file.ts'
import type { Flags } from './terminal/arguments.ts'

/** Wipes the index snapshot at the default path, and the configured one (decision 76). */
export async function wipeSnapshots({ kind, path }: Engine, flags: Flags): Promise<void> {
  for (const set of new Set([null, readSetting(settings.indexSnapshot, flags)])) {
    const place = toSnapshotPlace(set, kind, path)
    if (place === null) continue
    await explainFailure(explainFile(`wipe the index snapshot ${place.path}`), () => wipeSnapshot(place))
  }
}

import type { Database } from '../../database.ts'
import type { BatchPart } from '../names/name-change.ts'
import type { BatchKey, BatchNote, BatchProgress, CategoryRename, NewBatch } from './new-batch.ts'

/** Statements that record the progress of a batch. */
export function createProgressRows(db: Database, runner: string) {
  const findOurs = db.query<{ last_id: number }, [number, string]>(
    `SELECT last_id FROM batch WHERE id = ? AND state = 'running' AND runner = ?`,
  )
  const addProgress = db.query(
    `UPDATE batch SET done = done + $done, records = records + $changed, unchanged = unchanged + $unchanged,
       total = CASE WHEN total < done + $done THEN done + $done ELSE total END, last_id = $lastId
     WHERE id = $id`,
  )
  const addNote = db.query(
    `INSERT INTO batch_note (batch, record_id, kind, why, fields) VALUES ($batch, $id, $kind, $why, $fields)
     ON CONFLICT (batch, kind, record_id, why) DO UPDATE SET fields = excluded.fields`,
  )
  const listRunning = db.query<{ id: number; done: number; runner: string | null }, []>(
    `SELECT id, done, runner FROM batch WHERE state = 'running' ORDER BY id`,
  )
  return {
    add({ rename, key, parts = [], ...batch }: NewBatch): Promise<number> {
      const { categoryId = null, from = null, to = null } = rename ?? {}
      const request = { request_key: key?.key ?? null, request: key?.request ?? null }
      const names = { category_id: categoryId, old_title: from, new_title: to, names: toText(parts) }
      return db.insert('batch', { ...batch, ...request, ...names, records: 0, runner })
    },
    findOurs: async (id: number) => (await findOurs.get(id, runner))?.last_id ?? null,
    resume(id: number, key: BatchKey | null): void {
      db.query(
        `UPDATE batch SET state = 'running', runner = $runner, request_key = coalesce($key, request_key),
           request = coalesce($request, request) WHERE id = $id`,
      ).send({ id, runner, key: key?.key ?? null, request: key?.request ?? null })
    },
    addProgress(batch: number, progress: BatchProgress, notes: readonly BatchNote[]): void {
      addProgress.send({ id: batch, ...progress })
      for (const { fields, ...note } of notes) addNote.send({ batch, ...note, fields: JSON.stringify(fields) })
    },
    end(id: number): void {
      db.query<null, [number]>(`UPDATE batch SET state = 'done' WHERE id = ?`).send(id)
    },
    stop(id: number, done: number | null): void {
      const sql = `UPDATE batch SET state = 'stopped' WHERE id = ? AND state = 'running' AND done = coalesce(?, done)`
      db.query<null, [number, number | null]>(sql).send(id, done)
    },
    setRename(id: number, rename: CategoryRename | null): void {
      const { categoryId = null, from = null, to = null } = rename ?? {}
      db.query('UPDATE batch SET category_id = $categoryId, old_title = $from, new_title = $to WHERE id = $id').send({
        id,
        categoryId,
        from,
        to,
      })
    },
    setParts(id: number, parts: readonly BatchPart[]): void {
      db.query<null, [string | null, number]>('UPDATE batch SET names = ? WHERE id = ?').send(toText(parts), id)
    },
    listRunning: async () =>
      (await listRunning.all()).map((row) => ({ id: row.id, done: row.done, isOurs: row.runner === runner })),
  }
}

const toText = (parts: readonly BatchPart[]) => (parts.length === 0 ? null : JSON.stringify(parts))

import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '../..')

/** How many rows the made-up migration inserts. */
type NextVersion = { readonly rows: number }

/** A checkout in this folder whose schemas have one more, made-up migration. Returns its `rostrum`. */
export function createNextVersion(folder: string, { rows }: NextVersion): string {
  mkdirSync(folder, { recursive: true })
  for (const name of ['bin', 'src']) cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', 'bunfig.toml', 'tsconfig.json', 'node_modules']) {
    symlinkSync(join(root, name), join(folder, name))
  }
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n`
  const sql = `CREATE TABLE made_up (i bigint NOT NULL);\nINSERT INTO made_up ${numbers}`
  const lists = ['sqliteMigrations', 'postgresMigrations']
  const lines = lists.map((list) => `;(${list} as string[]).push(${JSON.stringify(sql)})\n`)
  appendFileSync(join(folder, 'src/store/schema/migrations.ts'), lines.join(''))
  return join(folder, 'bin/rostrum')
}

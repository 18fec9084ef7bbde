import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { createStore, runRostrum, toTalk } from './store-command.ts'

// Runner: long checkout

const toFile = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`

function write(folder: string, files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

async function withTalks(
  use: (folder: string, run: (...args: string[]) => ReturnType<typeof runRostrum>) => Promise<void>,
) {
  await withFolder(async (folder) => {
    const source_url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    await createStore(`${folder}/store.db`, [
      toTalk('One'),
      { ...toTalk('Two'), source_url },
      toTalk('Three'),
      toTalk('Four'),
    ])
    await use(folder, (...args) => runRostrum('transcripts', ...args, '--db', `${folder}/store.db`))
  })
}

test('transcripts are imported by number, video and slug, as one batch, and only once', async () => {
  await withTalks(async (folder, run) => {
    write(`${folder}/in`, {
      '1.en.vtt': toFile('One'),
      'A talk [dQw4w9WgXcQ].en-orig.vtt': toFile('Two'),
      'three.pt-BR.srt': '1\n00:00:01,000 --> 00:00:02,000\nThree\n',
      'three.de.json': '{"segments":[{"start":1,"end":2,"text":"Drei"}]}',
      'talk-in-go.json': '{"title":"no transcript"}',
      'readme.txt': 'x',
    })
    const dry = await run('import', `${folder}/in`, '--dry-run')
    expect([dry.exitCode, lastLine(dry.stdout)]).toEqual([
      0,
      '4 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 0 refused (dry run: nothing was stored)',
    ])
    const first = await run('import', `${folder}/in`, '--tool', 'hand')
    expect([first.exitCode, lastLine(first.stdout)]).toEqual([
      0,
      '4 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 0 refused (batch 1)',
    ])
    const again = await run('import', `${folder}/in`, '--tool', 'hand')
    expect(lastLine(again.stdout)).toBe('0 transcripts stored, 4 unchanged, 0 kept, 0 without a record, 0 refused')
    const wanted = await run('wanted')
    expect(
      wanted.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ id: 4, title: 'Four', language: '', duration: null, source_url: '', files: [] }])
    const doctor = await runRostrum('doctor', '--db', `${folder}/store.db`)
    expect(doctor.exitCode).toBe(0)
  })
})

test('an exported folder has the transcripts, and brings them back by their place', async () => {
  await withTalks(async (folder, run) => {
    write(`${folder}/in`, { '1.en.vtt': toFile('One'), '1.pt-BR.vtt': toFile('Um') })
    await run('import', `${folder}/in`)
    const out = `${folder}/out`
    const db = `${folder}/store.db`
    expect((await runRostrum('export', '--format', 'pyvideo', '--out', out, '--db', db)).exitCode).toBe(0)
    expect(readFileSync(`${out}/event/videos/one-en.vtt`, 'utf8')).toBe(toFile('One'))
    expect(existsSync(`${out}/event/videos/one-pt-BR.vtt`)).toBe(true)
    const other = `${folder}/other.db`
    expect((await runRostrum('import', out, '--db', other)).exitCode).toBe(0)
    const back = await runRostrum('transcripts', 'import', out, '--db', other)
    expect([back.exitCode, lastLine(back.stdout)]).toEqual([
      0,
      '2 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 0 refused (batch 2)',
    ])
  })
})

test('what cannot be read or belongs to nobody is named', async () => {
  await withTalks(async (folder, run) => {
    write(`${folder}/in`, { '1.en.vtt': 'x', '99.en.vtt': toFile('x'), '2.de.vtt': toFile('Zwei') })
    const { exitCode, stdout } = await run('import', `${folder}/in`)
    expect(exitCode).toBe(65)
    expect(stdout).toBe(
      '1.en.vtt: Line 1: Must be WEBVTT.\n99.en.vtt: No record belongs to it.\n' +
        '1 transcript stored, 0 unchanged, 0 kept, 1 without a record, 1 refused (batch 1)\n',
    )
    expect((await run('import', `${folder}/none`)).exitCode).toBe(66)
    expect((await run('import', `${folder}/in`, '--origin', 'robot')).exitCode).toBe(64)
    expect((await run('read')).exitCode).toBe(64)
  })
})

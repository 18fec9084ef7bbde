import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withFolder } from '../faults/scratch.ts'
import { createStore, runRostrum, spoil, toTalk } from './store-command.ts'

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
      'three.a.nl.vtt': toFile('Drie'),
      'three.wav.json': '{"segments":[{"start":1,"end":2,"text":"Whisper names its files like this"}]}',
      'talk-in-go.json': '{"title":"no transcript"}',
      'readme.txt': 'x',
    })
    const dry = await run('import', `${folder}/in`, '--dry-run')
    expect([dry.exitCode, lastLine(dry.stdout)]).toEqual([
      0,
      '5 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 0 refused (dry run: nothing was stored)',
    ])
    const first = await run('import', `${folder}/in`, '--tool', 'hand')
    expect([first.exitCode, lastLine(first.stdout)]).toEqual([
      0,
      '5 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 0 refused (batch 1)',
    ])
    const again = await run('import', `${folder}/in`, '--tool', 'hand')
    expect(lastLine(again.stdout)).toBe('0 transcripts stored, 5 unchanged, 0 kept, 0 without a record, 0 refused')
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

test('an exported folder has the transcripts with their origins, and an import restores them', async () => {
  await withTalks(async (folder, run) => {
    write(`${folder}/in`, { '1.en.vtt': toFile('One') })
    await run('import', `${folder}/in`)
    write(`${folder}/machine`, { '1.pt-BR.vtt': toFile('Um') })
    await run('import', `${folder}/machine`, '--origin', 'machine', '--tool', 'whisper, medium')
    const [out, again] = [`${folder}/out`, `${folder}/again`]
    const [db, other] = [`${folder}/store.db`, `${folder}/other.db`]
    const exportTo = async (path: string, from: string) =>
      expect((await runRostrum('export', '--format', 'pyvideo', '--out', path, '--db', from)).exitCode).toBe(0)
    await exportTo(out, db)
    expect(readFileSync(`${out}/event/videos/one-en.vtt`, 'utf8')).toBe(toFile('One'))
    const machine = toFile('Um').replace('\n', '\n\nNOTE Origin: machine, whisper, medium\n')
    expect(readFileSync(`${out}/event/videos/one-pt-BR.vtt`, 'utf8')).toBe(machine)
    const bring = async (...args: string[]) => {
      const { exitCode, stdout } = await runRostrum('import', out, '--db', other, ...args)
      return [exitCode, lastLine(stdout)]
    }
    const stored = '2 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 0 refused'
    expect(await bring('--dry-run')).toEqual([0, `${stored} (dry run: nothing was stored)`])
    expect(await bring()).toEqual([0, `${stored} (batch 1)`])
    expect(await bring()).toEqual([0, '0 transcripts stored, 2 unchanged, 0 kept, 0 without a record, 0 refused'])
    await exportTo(again, other)
    for (const file of ['one-en.vtt', 'one-pt-BR.vtt'])
      expect(readFileSync(`${again}/event/videos/${file}`)).toEqual(readFileSync(`${out}/event/videos/${file}`))
    expect(await runRostrum('doctor', '--db', other)).toMatchObject({ exitCode: 0, stdout: '' })
  })
})

test('an import of a folder changes a transcript unless people have, and ignores files without a talk', async () => {
  await withFolder(async (folder) => {
    const [source, db] = [`${folder}/archive`, `${folder}/store.db`]
    const talk = JSON.stringify({ title: 'Talk', speakers: [] })
    const captions = 'event/videos/talk-en.vtt'
    const bring = async (text: string) => {
      write(source, { [captions]: text })
      const { exitCode, stdout } = await runRostrum('import', source, '--db', db)
      return [
        exitCode,
        stdout
          .trimEnd()
          .split('\n')
          .slice(-2)
          .join('; ')
          .replace(/^.*talk-en/, 'talk-en'),
      ]
    }
    write(source, { 'event/videos/talk.json': talk, 'event/videos/how-to-go.vtt': toFile('x') })
    const none = '0 without a record'
    expect((await bring(toFile('one')))[1]).toEndWith(
      `1 transcript stored, 0 unchanged, 0 kept, ${none}, 0 refused (batch 1)`,
    )
    expect((await bring(toFile('two')))[1]).toEndWith(
      `1 transcript stored, 0 unchanged, 0 kept, ${none}, 0 refused (batch 2)`,
    )
    const patch = '{"transcripts": {"find": "two", "replace": "three"}}'
    expect((await runRostrum('bulk', '--ids', '1', '--patch', patch, '--db', db)).exitCode).toBe(0)
    expect((await bring(toFile('two')))[1]).toEndWith(`0 transcripts stored, 1 unchanged, 0 kept, ${none}, 0 refused`)
    expect(await bring(toFile('four'))).toEqual([
      0,
      `talk-en.vtt: Record 1 keeps its transcript, which was changed here.; 0 transcripts stored, 0 unchanged, 1 kept, ${none}, 0 refused`,
    ])
    expect(await bring('x')).toEqual([
      65,
      `talk-en.vtt: Line 1: Must be WEBVTT.; 0 transcripts stored, 0 unchanged, 0 kept, ${none}, 1 refused`,
    ])
  })
})

test('doctor reports transcripts that searches miss, or find wrongly, and repairs the index', async () => {
  await withTalks(async (folder, run) => {
    const db = `${folder}/store.db`
    write(`${folder}/in`, { '1.en.vtt': toFile('One'), '2.en.vtt': toFile('Two') })
    await run('import', `${folder}/in`)
    spoil(
      db,
      `DELETE FROM moment_due;
       INSERT INTO moment_transcript (number, record_id, name, version, slices) VALUES
         (0, 2, 'transcripts/en', 1, x''), (1, 3, 'transcripts/en', 2, x'');
       INSERT INTO moment_posting (block, token, body) VALUES (7, 'x', x'')`,
    )
    const { exitCode, stdout } = await runRostrum('doctor', '--db', db)
    expect(exitCode).not.toBe(0)
    for (const line of [
      '1: the index of transcripts lacks its transcripts/en',
      '2: the index of transcripts lacks its transcripts/en',
      '3: the index of transcripts has its transcripts/en, which does not exist',
      'block 7 of the index of transcripts does not match its transcripts',
    ])
      expect(stdout).toContain(line)
    expect((await runRostrum('doctor', '--rebuild', '--db', db)).exitCode).toBe(0)
    expect(await runRostrum('doctor', '--db', db)).toMatchObject({ exitCode: 0, stdout: '' })
  })
})

test('a translation by YouTube is one into the first of the two languages in its name', async () => {
  await withTalks(async (folder, run) => {
    write(`${folder}/in`, {
      '1.de-en.vtt': toFile('Eins'),
      '2.zh-Hans-en.vtt': toFile('二'),
      'three.ready-en.vtt': 'x',
    })
    const { stdout } = await run('import', `${folder}/in`)
    expect(stdout).toBe(
      'three.ready-en.vtt: Line 1: Must be WEBVTT.\n2 transcripts stored, 0 unchanged, 0 kept, 0 without a record, 1 refused (batch 1)\n',
    )
    const out = `${folder}/out`
    await runRostrum('export', '--format', 'pyvideo', '--out', out, '--db', `${folder}/store.db`)
    expect(readFileSync(`${out}/event/videos/one-de.vtt`, 'utf8')).toContain('translated')
    expect(existsSync(`${out}/event/videos/one-en.vtt`)).toBe(false)
  })
})

test('files that cannot be read or match no record are named', async () => {
  await withTalks(async (folder, run) => {
    write(`${folder}/in`, {
      '1.en.vtt': 'x',
      '99.en.vtt': toFile('x'),
      '2.de.vtt': toFile('Zwei'),
      '3.vtt': toFile('Drei'),
    })
    const { exitCode, stdout } = await run('import', `${folder}/in`)
    expect(exitCode).toBe(65)
    expect(stdout).toBe(
      '1.en.vtt: Line 1: Must be WEBVTT.\n99.en.vtt: No record matches this file.\n' +
        '3.vtt: Its name does not end with a language, as "talk.en.vtt" does.\n' +
        '1 transcript stored, 0 unchanged, 0 kept, 1 without a record, 2 refused (batch 1)\n',
    )
    expect((await run('import', `${folder}/none`)).exitCode).toBe(66)
    expect((await run('import', `${folder}/in`, '--origin', 'robot')).exitCode).toBe(64)
    expect((await run('read')).exitCode).toBe(64)
  })
})

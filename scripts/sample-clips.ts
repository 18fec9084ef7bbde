import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { launchChromium } from '../test/browser/chromium.ts'
import type { Colours, Scene } from './sample-scene.ts'

/**
 * Makes the clips that the sample's talks play, in src/site/asset/sample: frames drawn by Chromium, a quiet chord, encoded
 * by ffmpeg. Needed only to change them; the files are in the repository.
 */

const folder = resolve(import.meta.dir, '../src/site/asset/sample')
const framesPerSecond = 12
const seconds = 20
const maxBytes = 300_000

const text = { title: 'Rostrum', subtitle: 'A sample clip.\nThe talk is made up,\nthe play button works.' }
const size = { seconds, width: 640, height: 360 }

interface Variant {
  readonly name: string
  readonly scene: Scene
  /** The notes of the chord, in hertz. */
  readonly chord: readonly [number, number, number]
}

const variants: readonly Variant[] = [
  toVariant('dusk', 'Questions?', [130.8, 196, 329.6], {
    ground: '#1b1f3b',
    floor: '#242a52',
    seat: '#39407a',
    taken: '#aeb7ee',
    accent: '#ffb454',
    text: '#ffffff',
  }),
  toVariant('forest', 'Applause.', [110, 164.8, 277.2], {
    ground: '#12312b',
    floor: '#1a4239',
    seat: '#2b5f53',
    taken: '#a5dcc6',
    accent: '#ff8f6b',
    text: '#ffffff',
  }),
]

function toVariant(name: string, closing: string, chord: Variant['chord'], colours: Colours): Variant {
  return { name, chord, scene: { ...size, ...text, closing, colours } }
}

/** Bundles the scene for the page, which then draws any frame as a PNG. */
async function drawFrames(frames: string, { scene }: Variant): Promise<void> {
  const built = await Bun.build({ entrypoints: [join(import.meta.dir, 'sample-clip/page.ts')], target: 'browser' })
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: (await built.outputs[0]?.text()) ?? '' })
    for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
      const call = `drawPng(${JSON.stringify(scene)}, ${frame / framesPerSecond})`
      const png = Buffer.from(String(await page.evaluate(call)), 'base64')
      await Bun.write(join(frames, `${String(frame).padStart(4, '0')}.png`), png)
    }
  } finally {
    await browser.close()
  }
}

function encode(frames: string, { name, chord }: Variant): void {
  const tone = chord.map((hertz, i) => `0.05*sin(2*PI*${hertz}*t)*(0.6+0.4*sin(2*PI*t/${7 + i * 2}))`).join('+')
  const fade = `afade=in:d=2,afade=out:st=${seconds - 3}:d=3`
  const picture = ['-framerate', String(framesPerSecond), '-i', join(frames, '%04d.png')]
  const sound = ['-f', 'lavfi', '-i', `aevalsrc='${tone}':s=16000:d=${seconds},${fade}`]
  const shared = ['-pix_fmt', 'yuv420p', '-g', '120', '-ac', '1', '-map_metadata', '-1', '-fflags', '+bitexact']
  const vp9 = ['-c:v', 'libvpx-vp9', '-crf', '54', '-b:v', '0', '-deadline', 'good', '-cpu-used', '1']
  const opus = ['-c:a', 'libopus', '-b:a', '6k', '-ar', '48000', '-application', 'audio']
  const h264 = ['-c:v', 'libx264', '-crf', '39', '-preset', 'slower', '-tune', 'animation', '-profile:v', 'main']
  const aac = ['-c:a', 'aac', '-b:a', '8k', '-ar', '16000', '-movflags', '+faststart']
  ffmpeg([...picture, ...sound, ...shared, ...vp9, ...opus, join(folder, `${name}.webm`)])
  ffmpeg([...picture, ...sound, ...shared, ...h264, ...aac, join(folder, `${name}.mp4`)])
  const poster = join(frames, `${String(10 * framesPerSecond).padStart(4, '0')}.png`)
  ffmpeg(['-i', poster, '-c:v', 'libwebp', '-quality', '35', '-map_metadata', '-1', join(folder, `${name}.webp`)])
}

function ffmpeg(args: readonly string[]): void {
  const { exitCode } = Bun.spawnSync(['ffmpeg', '-v', 'error', '-y', ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) throw new Error(`ffmpeg failed: ${args.join(' ')}`)
}

let total = 0
for (const variant of variants) {
  const frames = join(process.env.TMPDIR ?? '/tmp', `rostrum-clip-${variant.name}`)
  mkdirSync(frames, { recursive: true })
  await drawFrames(frames, variant)
  encode(frames, variant)
  rmSync(frames, { recursive: true })
  for (const type of ['webm', 'mp4', 'webp']) {
    const { size: bytes } = statSync(join(folder, `${variant.name}.${type}`))
    console.log(`${variant.name}.${type}: ${bytes} bytes`)
    total += bytes
  }
}
if (total > maxBytes) throw new Error(`the clips have ${total} bytes, ${maxBytes} are allowed`)

import type { Scene } from '../sample-scene.ts'
import { drawFrame } from './draw-frame.ts'

/** For scripts/sample-clips.ts, which calls it by name. */
async function drawPng(scene: Scene, at: number): Promise<string> {
  const canvas = new OffscreenCanvas(scene.width, scene.height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  drawFrame(context, scene, at)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

Object.assign(globalThis, { drawPng })

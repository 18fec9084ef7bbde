import type { Scene } from '../sample-scene.ts'

const rows = 7
const font = '"DejaVu Sans", sans-serif'
/** Half of the angle that the rows cover. */
const spread = 1.02

/**
 * Draws one frame of a sample clip on a canvas: a lecture hall from above. Seats light up as time passes, waves leave the
 * rostrum, and a ring with a clock shows the position, so that a seek is seen at once.
 */
export function drawFrame(canvas: OffscreenCanvasRenderingContext2D, scene: Scene, at: number): void {
  const { width, height, colours } = scene
  canvas.fillStyle = colours.ground
  canvas.fillRect(0, 0, width, height)
  const centre = { x: width * 0.68, y: height * 1.02 }
  drawFloor(canvas, scene, centre)
  drawWaves(canvas, scene, centre, at)
  drawSeats(canvas, scene, centre, at)
  drawRostrum(canvas, scene, centre)
  drawTitle(canvas, scene, at)
  drawClock(canvas, scene, at)
}

interface Point {
  readonly x: number
  readonly y: number
}

const toRadius = (height: number, row: number) => height * (0.32 + row * 0.087)

function drawFloor(canvas: OffscreenCanvasRenderingContext2D, { height, colours }: Scene, { x, y }: Point): void {
  canvas.fillStyle = colours.floor
  canvas.beginPath()
  canvas.moveTo(x, y)
  canvas.arc(x, y, toRadius(height, rows - 0.4), -Math.PI / 2 - spread - 0.07, -Math.PI / 2 + spread + 0.07)
  canvas.fill()
}

/** A wave leaves the rostrum every three seconds and fades before the first row: larger ones would triple the file. */
function drawWaves(
  canvas: OffscreenCanvasRenderingContext2D,
  { height, colours }: Scene,
  { x, y }: Point,
  at: number,
): void {
  const age = (at / 3) % 1
  canvas.globalAlpha = 0.8 * Math.sin(Math.PI * age)
  canvas.strokeStyle = colours.accent
  canvas.lineWidth = height * 0.008
  canvas.beginPath()
  canvas.arc(x, y - height * 0.215, height * (0.05 + age * 0.07), -Math.PI * 0.95, -Math.PI * 0.05)
  canvas.stroke()
  canvas.globalAlpha = 1
}

/** Each seat has its own time; it lights up within half a second. */
function drawSeats(
  canvas: OffscreenCanvasRenderingContext2D,
  { height, colours, seconds }: Scene,
  { x, y }: Point,
  at: number,
): void {
  for (let row = 0; row < rows; row++) {
    const count = 9 + row * 3
    for (let i = 0; i < count; i++) {
      const angle = -Math.PI / 2 + spread * ((2 * i) / (count - 1) - 1)
      const moment = 2 + toNoise(row * 64 + i) * (seconds - 7)
      const light = Math.min(1, Math.max(0, (at - moment) * 2))
      const radius = height * (0.0165 + 0.006 * Math.sin(Math.PI * light))
      const point = { x: x + Math.cos(angle) * toRadius(height, row), y: y + Math.sin(angle) * toRadius(height, row) }
      drawDisc(canvas, point, radius, colours.seat)
      if (light === 0) continue
      canvas.globalAlpha = light
      drawDisc(canvas, point, radius, toNoise(row * 31 + i * 7) < 0.16 ? colours.accent : colours.taken)
      canvas.globalAlpha = 1
    }
  }
}

function drawRostrum(canvas: OffscreenCanvasRenderingContext2D, { height, colours }: Scene, { x, y }: Point): void {
  const unit = height * 0.05
  canvas.fillStyle = colours.text
  canvas.beginPath()
  canvas.roundRect(x - unit * 1.5, y - height * 0.155, unit * 3, unit * 0.62, unit * 0.2)
  canvas.roundRect(x - unit * 0.95, y - height * 0.155, unit * 1.9, unit * 2.6, unit * 0.2)
  canvas.fill()
  drawDisc(canvas, { x, y: y - height * 0.215 }, unit * 0.62, colours.accent)
}

function drawTitle(canvas: OffscreenCanvasRenderingContext2D, scene: Scene, at: number): void {
  const { height, width, colours, seconds } = scene
  const isClosing = at > seconds - 4.5
  const shown = isClosing ? Math.min(1, (at - (seconds - 4.5)) * 1.5) : Math.min(1, (seconds - 4.5 - at) * 1.5)
  canvas.globalAlpha = Math.max(0, shown)
  canvas.fillStyle = colours.text
  canvas.font = `bold ${height * 0.105}px ${font}`
  canvas.fillText(isClosing ? scene.closing : scene.title, width * 0.06, height * 0.19)
  canvas.font = `${height * 0.042}px ${font}`
  canvas.fillStyle = colours.taken
  for (const [i, line] of scene.subtitle.split('\n').entries()) {
    canvas.fillText(line, width * 0.062, height * (0.265 + i * 0.062))
  }
  canvas.globalAlpha = 1
}

function drawClock(canvas: OffscreenCanvasRenderingContext2D, scene: Scene, at: number): void {
  const { height, width, colours, seconds } = scene
  const centre = { x: width * 0.123, y: height * 0.78 }
  const radius = height * 0.105
  canvas.lineWidth = height * 0.022
  canvas.lineCap = 'round'
  drawArc(canvas, centre, radius, 1, colours.seat)
  drawArc(canvas, centre, radius, at / seconds, colours.accent)
  canvas.fillStyle = colours.text
  canvas.font = `bold ${height * 0.062}px ${font}`
  canvas.textAlign = 'center'
  canvas.fillText(`0:${String(Math.floor(at)).padStart(2, '0')}`, centre.x, centre.y + height * 0.023)
  canvas.textAlign = 'start'
}

function drawArc(
  canvas: OffscreenCanvasRenderingContext2D,
  { x, y }: Point,
  radius: number,
  part: number,
  colour: string,
) {
  canvas.strokeStyle = colour
  canvas.beginPath()
  canvas.arc(x, y, radius, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.max(part, 0.001))
  canvas.stroke()
}

function drawDisc(canvas: OffscreenCanvasRenderingContext2D, { x, y }: Point, radius: number, colour: string): void {
  canvas.fillStyle = colour
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, 2 * Math.PI)
  canvas.fill()
}

/** The same number from 0 to 1 for the same seat, every time. */
function toNoise(seed: number): number {
  const wide = Math.sin(seed * 12.9898 + 4.1) * 43_758.5453
  return wide - Math.floor(wide)
}

/** How much of a pixel is the tile, and how much of it the lectern; from 0 to 1. */
interface Coverage {
  readonly tile: number
  readonly shape: number
}

/** The icon is drawn on 32 by 32 units, as in `toIcon`. */
const units = 32
const cornerRadius = 7

/** The icon for browsers that ask for `/favicon.ico`: one image of 32 by 32 pixels with transparency. */
export function toFavicon(accent: string): Uint8Array {
  const [size, samples] = [32, 4]
  const [red, green, blue] = toChannels(accent)
  const pixels = Buffer.alloc(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const { tile, shape } = cover(x, y, size, samples)
      const mix = (channel: number) => Math.round(channel + (255 - channel) * (tile === 0 ? 0 : shape / tile))
      // Rows go from the bottom to the top, and colours from blue to red.
      const at = ((size - 1 - y) * size + x) * 4
      pixels.set([mix(blue), mix(green), mix(red), Math.round(tile * 255)], at)
    }
  }
  return toIco(size, pixels)
}

function toIco(size: number, pixels: Uint8Array): Uint8Array {
  const mask = Buffer.alloc((size * size) / 8)
  const info = Buffer.alloc(40)
  info.writeUInt32LE(40, 0)
  info.writeInt32LE(size, 4)
  // Twice the height: the image, then its mask.
  info.writeInt32LE(size * 2, 8)
  info.writeUInt16LE(1, 12)
  info.writeUInt16LE(32, 14)
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.set([size, size, 0, 0, 1, 0, 32, 0], 6)
  head.writeUInt32LE(info.length + pixels.length + mask.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, info, pixels, mask])
}

/** The picture of podcasts, a square without transparency, of the size that directories ask for. */
export function toArtwork(accent: string): Uint8Array {
  const size = 1400
  const rows = Buffer.alloc(size * (size + 1))
  const toPixel = (unit: number) => Math.round((unit / units) * size)
  // Outside of this box there is only the tile. The first byte of a row is its filter: none.
  for (let y = toPixel(4); y < toPixel(26); y++) {
    for (let x = toPixel(8); x < toPixel(24); x++) {
      if (isShape(((x + 0.5) / size) * units, ((y + 0.5) / size) * units)) rows[y * (size + 1) + 1 + x] = 1
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  // Eight bits per pixel, which choose a colour of the palette.
  head.set([8, 3, 0, 0, 0], 8)
  const palette = Buffer.from([...toChannels(accent), 255, 255, 255])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [
    toChunk('IHDR', head),
    toChunk('PLTE', palette),
    toChunk('IDAT', loadZlib().deflateSync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...chunks])
}

/** When it is first used: it takes 10 ms, which every start would wait for. */
const loadZlib = () => process.getBuiltinModule('node:zlib')

function toChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(loadZlib().crc32(body))
  return Buffer.concat([length, body, checksum])
}

function cover(x: number, y: number, size: number, samples: number): Coverage {
  let [tile, shape] = [0, 0]
  for (let i = 0; i < samples * samples; i++) {
    const u = ((x + ((i % samples) + 0.5) / samples) / size) * units
    const v = ((y + (Math.floor(i / samples) + 0.5) / samples) / size) * units
    if (isTile(u, v)) tile++
    if (isShape(u, v)) shape++
  }
  return { tile: tile / samples ** 2, shape: shape / samples ** 2 }
}

/** A square with round corners. */
function isTile(u: number, v: number): boolean {
  const toCorner = (value: number) => Math.max(cornerRadius - value, value - (units - cornerRadius), 0)
  return Math.hypot(toCorner(u), toCorner(v)) <= cornerRadius
}

/** The stem of the microphone ends in the desk. */
const isShape = (u: number, v: number) => (v < 13 ? isMicrophone(u, v) : isLectern(u, v))

/** A desk that gets narrower, its post and its foot. */
function isLectern(u: number, v: number): boolean {
  const half = Math.abs(u - 16)
  if (v < 18) return half <= 8 - (v - 13) * 0.4
  if (v < 24) return half <= 2
  return v < 26 && half <= 6
}

/** A stem with round ends, and a head. */
function isMicrophone(u: number, v: number): boolean {
  if (Math.hypot(u - 16.6, v - 6.8) <= 2) return true
  const [du, dv] = [17 - 20.5, 7.5 - 13]
  const along = Math.min(1, Math.max(0, ((u - 20.5) * du + (v - 13) * dv) / (du * du + dv * dv)))
  return Math.hypot(u - 20.5 - along * du, v - 13 - along * dv) <= 0.9
}

/** Of `#rrggbb`. */
function toChannels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

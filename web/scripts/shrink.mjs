/**
 * Makes the pictures that tests compare with small enough to be kept: `node scripts/shrink.mjs e2e/screens`. Each PNG is
 * written anew with a palette of 256 colours. Areas keep their colours to the bit; what stands for an edge of a letter
 * is as near to it as is printed, 1 being black to white: nearer than what the tests see as a difference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const RGB = 2
const PALETTE = 3
const COLOURS_MAX = 256
/** So many colours of the most pixels are kept before others are chosen by how far they lie apart. */
const AREAS_MAX = 64
/** The tests see a difference from 0.032 on (`threshold` in playwright.config.ts). */
const FAR_MAX = 0.031
/** What `difference` makes of black and white. */
const WHOLE = 35215

const folder = process.argv[2]
if (!folder) {
  throw new Error('a folder has to be named')
}
const bytes = { before: 0, after: 0 }
let farthest = 0
for (const name of readdirSync(folder).filter((each) => each.endsWith('.png'))) {
  const path = join(folder, name)
  const old = readFileSync(path)
  const small = shrunk(old) ?? old
  bytes.before += old.length
  bytes.after += small.length
  if (small !== old) {
    writeFileSync(path, small)
  }
}
const kilobytes = (count) => `${Math.round(count / 1024)} KB`
console.log(`${folder}: ${kilobytes(bytes.before)}, now ${kilobytes(bytes.after)}; farthest ${farthest.toFixed(3)}`)

/** Null for what is none of a browser's, and for what has been shrunk before. */
function shrunk(file) {
  const picture = decode(file)
  const palette = picture && paletteOf(picture.rgb)
  if (!palette || palette.far > FAR_MAX) {
    return null
  }
  farthest = Math.max(farthest, palette.far)
  return encode(picture, palette)
}

function decode(file) {
  const chunks = chunksOf(file)
  const head = chunks.find(({ kind }) => kind === 'IHDR')?.data
  if (head?.[8] !== 8 || head[9] !== RGB || head[12] !== 0) {
    return null
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const packed = Buffer.concat(chunks.filter(({ kind }) => kind === 'IDAT').map(({ data }) => data))
  return { width, height, rgb: unfiltered(inflateSync(packed), width * 3, height) }
}

function chunksOf(file) {
  const chunks = []
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({ kind: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** A PNG tells of each line how its bytes follow from those to the left and above. */
function unfiltered(raw, stride, height) {
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x >= 3 ? out[at - 3] : 0
      const up = y > 0 ? out[at - stride] : 0
      const corner = x >= 3 && y > 0 ? out[at - stride - 3] : 0
      out[at] = raw[y * (stride + 1) + 1 + x] + predicted(filter, left, up, corner)
    }
  }
  return out
}

function predicted(filter, left, up, corner) {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4: {
      const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(left + up - corner - each))
      return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
    }
    default:
      return 0
  }
}

/** The colours that stand for all, the number of each pixel's, and how far one is from what it stands for. */
function paletteOf(rgb) {
  const counts = new Map()
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = rgb.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const all = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a))
  const kept = []
  /** Of each colour: what stands for it, and how far that is. */
  const numbers = new Uint8Array(all.length)
  const fars = new Float64Array(all.length).fill(Number.POSITIVE_INFINITY)
  for (let place = 0; kept.length < COLOURS_MAX && fars[place] > 0; ) {
    const number = kept.push(all[place]) - 1
    for (const [each, colour] of all.entries()) {
      const far = difference(colour, all[place])
      if (far < fars[each]) {
        fars[each] = far
        numbers[each] = number
      }
    }
    // Next the one that is farthest from all that are kept.
    place = kept.length < Math.min(AREAS_MAX, all.length) ? kept.length : fars.indexOf(Math.max(...fars))
  }
  const numberOf = new Map(all.map((colour, place) => [colour, numbers[place]]))
  const pixels = Buffer.alloc(rgb.length / 3)
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = numberOf.get(rgb.readUIntBE(at * 3, 3))
  }
  return { kept, pixels, far: Math.sqrt(Math.max(...fars) / WHOLE) }
}

/** Squared, by brightness and two of hue, as the tests' comparison has it. */
function difference(a, b) {
  const red = (a >> 16) - (b >> 16)
  const green = ((a >> 8) & 255) - ((b >> 8) & 255)
  const blue = (a & 255) - (b & 255)
  const y = red * 0.299 + green * 0.587 + blue * 0.114
  const i = red * 0.596 - green * 0.274 - blue * 0.322
  const q = red * 0.211 - green * 0.523 + blue * 0.311
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
}

function encode({ width, height }, { kept, pixels }) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, PALETTE, 0, 0, 0], 8)
  const colours = Buffer.alloc(kept.length * 3)
  for (const [number, colour] of kept.entries()) {
    colours.writeUIntBE(colour, number * 3, 3)
  }
  // Numbers of colours do not follow from their neighbours: lines are kept as they are.
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    pixels.copy(lines, y * (width + 1) + 1, y * width, (y + 1) * width)
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

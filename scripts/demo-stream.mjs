// Prints subtitles (ASS) for ffmpeg that draw a part of a recorded match: the pitch, the recorded ball positions, the
// clock. Called by make-demo-stream.sh with the number of seconds to draw.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const DATA = new URL('../data/wyscout-soccer/', import.meta.url)
/** Burnley against Bournemouth, 13 May 2018: an attack of the visitors that ends with a goal. */
const MATCH = 2500089
const PERIOD = { name: '2H', baseS: 45 * 60, fromS: 1640 }
const SIZE = { width: 640, height: 360 }
const PITCH = { left: 40, top: 46, width: 560, height: 278 }
/** The colours of the tracker's dark theme (tokens.css), in the order of ASS: blue, green, red. */
const COLOURS = { line: '788A5F', home: 'F2C86C', away: '6AB2F7', text: 'F7F3EE', faint: 'CBC0B4' }

const seconds = Number(process.argv[2])
const read = (name) => JSON.parse(gunzipSync(readFileSync(new URL(name, DATA))))
const record = read('matches.json.gz').find(({ wyId }) => wyId === MATCH)
const home = Object.values(record.teamsData).find(({ side }) => side === 'home').teamId

const at = (value, from, length) => Math.round((from + (value / 100) * length) * 10) / 10
const time = (s) => {
  const hundredths = Math.round(s * 100)
  const two = (number) => String(number).padStart(2, '0')
  return `${Math.floor(hundredths / 360000)}:${two(Math.floor(hundredths / 6000) % 60)}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`
}

/** The ball positions from the start on. Duels are recorded twice; the first of both counts. */
const stops = []
for (const { eventSec, positions, teamId, matchPeriod, eventName } of read(`${MATCH}.json.gz`).events) {
  const s = eventSec - PERIOD.fromS
  const last = stops.at(-1)
  if (matchPeriod !== PERIOD.name || !positions.length || eventName === 'Save attempt' || s > seconds || (last && s - last.s < 0.3)) {
    continue
  }
  const side = teamId === home ? 'home' : 'away'
  const seen = (value) => (side === 'home' ? value : 100 - value)
  const place = { x: at(seen(positions[0].x), PITCH.left, PITCH.width), y: at(seen(positions[0].y), PITCH.top, PITCH.height) }
  if (s < 0) {
    stops.length = 0
  }
  stops.push({ s: Math.max(0, s), side, ...place })
}

const lines = []
const draw = (layer, from, until, text) => lines.push(`Dialogue: ${layer},${time(from)},${time(until)},Plain,,0,0,0,,${text}`)
const shape = (colour, path, more = '') => `{\\an7\\bord0\\shad0\\1c&H${colour}&${more}\\p1}${path}{\\p0}`
const outline = (path) => `{\\an7\\pos(0,0)\\bord1\\shad0\\1a&HFF&\\3c&H${COLOURS.line}&\\p1}${path}{\\p0}`
const box = (x1, y1, x2, y2) => {
  const [left, right] = [at(x1, PITCH.left, PITCH.width), at(x2, PITCH.left, PITCH.width)]
  const [top, bottom] = [at(y1, PITCH.top, PITCH.height), at(y2, PITCH.top, PITCH.height)]
  return `m ${left} ${top} l ${right} ${top} ${right} ${bottom} ${left} ${bottom}`
}
/** A circle of four Bézier curves around a centre, by default 0, 0. */
const circle = (r, x = 0, y = 0) => {
  const k = r * 0.5523
  return `m ${x - r} ${y} b ${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r} b ${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y} b ${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r} b ${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y}`
}

for (const path of [
  box(0, 0, 100, 100),
  box(0, 0, 50, 100),
  box(0, 21, 16, 79),
  box(0, 37, 6, 63),
  box(84, 21, 100, 79),
  box(94, 37, 100, 63),
  circle(42, at(50, PITCH.left, PITCH.width), at(50, PITCH.top, PITCH.height)),
]) {
  draw(0, 0, seconds, outline(path))
}

stops.forEach((stop, index) => {
  const next = stops[index + 1] ?? { ...stop, s: seconds }
  const move = `\\move(${stop.x},${stop.y},${next.x},${next.y})`
  draw(2, stop.s, next.s, shape(COLOURS[stop.side], circle(17), `${move}\\1a&H99&`))
  draw(3, stop.s, next.s, shape(COLOURS[stop.side], circle(9), move))
  draw(4, stop.s, next.s, shape('FFFFFF', circle(6), move))
  draw(1, stop.s, Math.min(seconds, stop.s + 6), shape(COLOURS[stop.side], circle(3), `\\pos(${stop.x},${stop.y})\\fad(0,1500)`))
})

for (let s = 0; s < seconds; s += 1) {
  const shown = PERIOD.baseS + PERIOD.fromS + s
  const text = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, '0')}`
  draw(5, s, s + 1, `{\\an8\\pos(${SIZE.width / 2},10)\\b1\\fs26\\bord0\\shad0\\1c&H${COLOURS.text}&}${text}`)
}
draw(5, 0, seconds, `{\\an9\\pos(${SIZE.width - 40},16)\\b1\\fs15\\fsp3\\bord0\\shad0\\1c&H${COLOURS.faint}&}DEMO`)

process.stdout.write(`[Script Info]
ScriptType: v4.00+
PlayResX: ${SIZE.width}
PlayResY: ${SIZE.height}

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV
Style: Plain,DejaVu Sans,20,&H00FFFFFF,&H00000000,&H00000000,0,1,0,0,7,0,0,0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${lines.join('\n')}
`)

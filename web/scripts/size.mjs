/**
 * Checks the size budgets in gzip: 120 KB for the scripts that `index.html` loads or preloads, 16 KB for the scoreboard
 * page, and nothing of the gallery. Prints the size of each file of the build. Exits with 1 if a budget is exceeded.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const DIST = new URL('../dist', import.meta.url).pathname
const BUDGET_BYTES = 120 * 1024
const TRACKER_BYTES = 16 * 1024

/** A text that only the gallery's code contains. */
const GALLERY_MARK = 'data-gallery'

const broughtInBy = (page) => {
  const html = readFileSync(join(DIST, page), 'utf8')
  return new Set(Array.from(html.matchAll(/\s(?:src|href)="\/([^"]+\.(?:js|css))"/g), ([, path]) => path))
}
const first = broughtInBy('index.html')
const tracker = broughtInBy('scoreboard.html')

const rows = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(js|css|svg)$/.test(path))
  .map((path) => {
    const bytes = readFileSync(join(DIST, path))
    return {
      path,
      first: first.has(path),
      raw: bytes.length,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes).length,
    }
  })
  .sort((a, b) => Number(b.first) - Number(a.first) || b.gzip - a.gzip)

for (const row of rows) {
  const when = row.first ? 'first' : 'later'
  console.log(`${when}  ${column(row.raw)} raw  ${column(row.gzip)} gzip  ${column(row.brotli)} brotli  ${row.path}`)
}

const scripts = rows.filter((row) => row.first && row.path.endsWith('.js'))
const sum = (coding) => scripts.reduce((total, row) => total + row[coding], 0)
console.log(
  `scripts of the first load: ${kilobytes(sum('raw'))} raw, ${kilobytes(sum('gzip'))} gzip of ${kilobytes(BUDGET_BYTES)}, ` +
    `${kilobytes(sum('brotli'))} brotli`,
)
const ofTracker = rows.filter((row) => tracker.has(row.path) && row.path.endsWith('.js'))
const trackerBytes = ofTracker.reduce((total, row) => total + row.gzip, 0)
console.log(`scripts of the match tracker: ${kilobytes(trackerBytes)} gzip of ${kilobytes(TRACKER_BYTES)}`)
if (ofTracker.length === 0 || trackerBytes > TRACKER_BYTES) {
  console.error('the match tracker is over its budget')
  process.exitCode = 1
}
if (scripts.length === 0 || sum('gzip') > BUDGET_BYTES) {
  console.error('the first load is over its budget')
  process.exitCode = 1
}

const ofGallery = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(html|js|css)$/.test(path))
  .filter((path) => /gallery/i.test(path) || readFileSync(join(DIST, path), 'utf8').includes(GALLERY_MARK))
if (ofGallery.length > 0) {
  console.error(`the gallery is in the build: ${ofGallery.join(', ')}`)
  process.exitCode = 1
}

function column(bytes) {
  return String(bytes).padStart(7)
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`
}

/**
 * The budget of the first load: the scripts that `index.html` brings in, with everything they import at once, may weigh
 * 120 KB in gzip. Prints what each file of the build weighs; ends with 1 where the budget is exceeded.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const DIST = new URL('../dist', import.meta.url).pathname
const BUDGET_BYTES = 120 * 1024

/** @type {Record<string, { file: string, isEntry?: boolean, imports?: string[], css?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'))

const first = new Set()
function bringIn(key) {
  const chunk = manifest[key]
  if (chunk && !first.has(chunk.file)) {
    first.add(chunk.file)
    chunk.imports?.forEach(bringIn)
    for (const css of chunk.css ?? []) {
      first.add(css)
    }
  }
}
for (const [key, chunk] of Object.entries(manifest)) {
  if (chunk.isEntry) {
    bringIn(key)
  }
}

const html = readFileSync(join(DIST, 'index.html'), 'utf8')
for (const [, path] of html.matchAll(/<script[^>]*\ssrc="\/([^"]+)"/g)) {
  first.add(path)
}

const files = new Set([...first, ...Object.values(manifest).flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])])])
const rows = [...files].map((file) => {
  const bytes = readFileSync(join(DIST, file))
  return {
    file,
    first: first.has(file),
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  }
})
rows.sort((a, b) => Number(b.first) - Number(a.first) || b.gzip - a.gzip)

for (const row of rows) {
  const when = row.first ? 'first' : 'later'
  console.log(`${when}  ${column(row.raw)} raw  ${column(row.gzip)} gzip  ${column(row.brotli)} brotli  ${row.file}`)
}

const sum = (of) =>
  rows.filter((row) => row.first && row.file.endsWith('.js')).reduce((total, row) => total + row[of], 0)
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
console.log(
  `first load, scripts: ${kib(sum('raw'))} raw, ${kib(sum('gzip'))} gzip, ${kib(sum('brotli'))} brotli; budget ${kib(BUDGET_BYTES)} gzip`,
)
if (sum('gzip') > BUDGET_BYTES) {
  console.error('the first load is over its budget')
  process.exitCode = 1
}

function column(bytes) {
  return String(bytes).padStart(7)
}

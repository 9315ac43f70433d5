/**
 * Adds a brotli and a gzip copy to each file of the build, at the highest compression level, so that the server need
 * not compress. Before that it minifies the script that the build copies unchanged.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { minify } from 'terser'

const DIST = new URL('../dist', import.meta.url).pathname
const TEXTS = new Set(['.css', '.html', '.js', '.json', '.map', '.svg', '.txt', '.webmanifest'])

/** Smaller files fit in one packet anyway. */
const WORTHWHILE_BYTES = 256

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

const early = join(DIST, 'early.js')
writeFileSync(early, (await minify(readFileSync(early, 'utf8'))).code)

let before = 0
let after = 0
for (const path of filesBelow(DIST)) {
  if (!TEXTS.has(extname(path)) || statSync(path).size < WORTHWHILE_BYTES) {
    continue
  }
  const bytes = readFileSync(path)
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  writeFileSync(`${path}.br`, brotli)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  before += bytes.length
  after += brotli.length
}
console.log(`compressed: ${kilobytes(before)} to ${kilobytes(after)} (brotli)`)

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`
}

/**
 * Adds the service worker to the build, with the names of all files of the offline shell and a hash of their contents.
 * So every change of the client also changes the worker.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DIST = new URL('../dist', import.meta.url).pathname
const WORKER = new URL('../worker/sw.js', import.meta.url).pathname

/** Not cached: the browser loads these files itself when it installs the client. */
const NOT_KEPT = new Set(['sw.js', 'icon-192.png', 'icon-512.png'])
/** Not cached, as they are useless without a network: the scoreboard page and the stream player. */
const LIVE_ALONE = /^(scoreboard\.html|assets\/(scoreboard|hls)[^/]*)$/

const names = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(DIST.length + 1))
  .filter((name) => !/\.(br|gz)$/.test(name) && !NOT_KEPT.has(name) && !LIVE_ALONE.test(name))
  .sort()
const hash = createHash('sha256')
for (const name of names) {
  hash.update(name).update(readFileSync(join(DIST, name)))
}
const files = names.map((name) => (name === 'index.html' ? '/' : `/${name}`))
const worker = readFileSync(WORKER, 'utf8')
hash.update(worker)
const shell = JSON.stringify({ version: hash.digest('hex').slice(0, 16), files })
if (!worker.includes('self.__SHELL__')) {
  throw new Error('the worker has no place for the shell')
}
writeFileSync(join(DIST, 'sw.js'), worker.replace('self.__SHELL__', shell))
console.log(`shell: ${files.length} files`)

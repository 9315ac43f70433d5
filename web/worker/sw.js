/**
 * The service worker: keeps the shell (page, scripts, styles, drawings) so that the client starts without a network and
 * says so. It never touches a call: `/api/` goes by it, so that no odd, ticket or balance is ever told from a cache.
 *
 * The build puts the shell's files and their common hash in (scripts/shell.mjs), so a new version is a new worker.
 */
const { version, files } = self.__SHELL__
const PREFIX = 'kvota-shell-'
const CACHE = `${PREFIX}${Date.now()}-${version}`
/** The newest and the one before, of which pages that are still open get their later parts. */
const KEPT_CACHES = 2
/** A network that does not answer a navigation by then is as good as none. */
const PAGE_MS_MAX = 4000

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE)
      // Names with a hash never change; all else is of this version only when it is got anew.
      const requests = files.map((path) => new Request(path, path.startsWith('/assets/') ? {} : { cache: 'reload' }))
      await cache.addAll(requests)
      await self.skipWaiting()
    })(),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX)).sort()
      await Promise.all(ours.slice(0, -KEPT_CACHES).map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) {
    return
  }
  if (request.mode === 'navigate') {
    // The program's own pages, such as the documents of the calls, are no shell.
    if (url.pathname === '/' || /^\/(match|sport|ticket)\//.test(url.pathname)) {
      event.respondWith(page(request))
    }
  } else if (files.includes(url.pathname) || url.pathname.startsWith('/assets/')) {
    event.respondWith(file(request, url.pathname))
  }
})

/** Of the network, so that a new version is seen at once; without one the shell. */
async function page(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PAGE_MS_MAX) })
  } catch {
    return (await kept('/')) ?? Response.error()
  }
}

/** A file with a hash is the same wherever it comes from; others are asked for anew, and kept for want of a network. */
async function file(request, path) {
  if (path.startsWith('/assets/')) {
    return (await kept(path)) ?? fetch(request)
  }
  try {
    return await fetch(request)
  } catch {
    return (await kept(path)) ?? Response.error()
  }
}

/** The newest copy: a page of the version before finds its files in the cache of that one. */
async function kept(path) {
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX)).sort()
  for (const name of ours.reverse()) {
    const found = await (await caches.open(name)).match(path)
    if (found) {
      return found
    }
  }
  return undefined
}

/** A page asks whether it is of this version. */
self.addEventListener('message', ({ data, ports }) => {
  ports[0]?.postMessage({ isCurrent: typeof data?.entry === 'string' && files.includes(data.entry) })
})

/** A goal's notification leads to its match, in a page that is open already where there is one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const href = new URL(event.notification.data?.href ?? '/', self.location.origin).href
  event.waitUntil(
    (async () => {
      // A frame within it, as the match tracker's, has no ear for this; neither have the program's other pages.
      const client = (await self.clients.matchAll({ type: 'window' })).find(
        ({ frameType, url }) => frameType !== 'nested' && new URL(url).pathname === '/',
      )
      if (!client) {
        await self.clients.openWindow(href)
        return
      }
      await client.focus()
      client.postMessage({ visit: href })
    })(),
  )
})

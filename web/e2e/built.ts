/**
 * Pages for tests that are not part of the client: the gallery and the fixture. `pages.setup.ts` builds them once;
 * each worker serves them on a port of its own.
 */
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const BUILT = join(ROOT, '../build/pages')

/** Builds the pages into the folder `build` of the project. */
export async function buildPages(): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    plugins: [react()],
    logLevel: 'error',
    build: {
      outDir: BUILT,
      emptyOutDir: true,
      target: 'es2022',
      reportCompressedSize: false,
      // As in vite.config.ts: an inlined drawing would be missing where `<use>` refers to it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ['gallery.html', 'e2e/fixture/index.html'].map((page) => join(ROOT, page)) },
    },
  })
}

interface WorkerFixtures {
  /** The address of the pages, without a slash at the end. */
  readonly pagesUrl: string
}

export const test = base.extend<object, WorkerFixtures>({
  pagesUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the needed fixtures from this pattern.
    async ({}, use) => {
      const server = await preview({
        configFile: false,
        logLevel: 'error',
        build: { outDir: BUILT },
        preview: { port: 0, host: '127.0.0.1' },
      })
      const address = server.httpServer.address()
      if (!address || typeof address === 'string') {
        throw new Error('no port was given')
      }
      await use(`http://127.0.0.1:${address.port}`)
      await server.close()
    },
    { scope: 'worker' },
  ],
})

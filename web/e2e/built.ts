/** Builds and serves pages for a test that are not part of the client. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'

export interface Built {
  readonly url: string
  readonly end: () => Promise<void>
}

/** `pages` are paths below `root`, and also their paths in the URL. */
export async function serveBuilt(root: string, pages: readonly string[]): Promise<Built> {
  const outDir = mkdtempSync(join(tmpdir(), 'kvota-built-'))
  await build({
    root,
    configFile: false,
    plugins: [react()],
    logLevel: 'error',
    build: {
      outDir,
      target: 'es2022',
      minify: false,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: pages.map((page) => join(root, page)) },
    },
  })
  const server = await preview({
    configFile: false,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  })
  const address = server.httpServer.address()
  if (!address || typeof address === 'string') {
    throw new Error('no port was given')
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    end: async () => {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

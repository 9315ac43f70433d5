import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The address of the server during development. */
const server = process.env['KVOTA_SERVER'] ?? 'http://127.0.0.1:8080'

/** Moves the styles below the skeleton in `index.html`, so that its paint does not wait for them. Scripts still do. */
const stylesAfterSkeleton: Plugin = {
  name: 'styles-after-skeleton',
  enforce: 'post',
  transformIndexHtml: (html, { path }) => {
    const styles = /\n *<link rel="stylesheet" crossorigin[^>]*>/.exec(html)?.[0]
    return path === '/index.html' && styles
      ? html.replace(styles, '').replace('\n  </body>', `${styles}\n  </body>`)
      : html
  },
}

export default defineConfig({
  base: '/',
  plugins: [react(), stylesAfterSkeleton],
  // The built-in class names contain line numbers, which compress badly.
  css: { modules: { generateScopedName: (name, file) => `${name}-${shortOf(file)}` } },
  build: {
    // The oldest supported browsers (docs/client.md).
    target: ['chrome116', 'edge116', 'firefox125', 'safari17.4', 'ios17.4'],
    sourcemap: false,
    // 5 % smaller output than the built-in minifier: worth a few seconds of build time for each first visit.
    minify: 'terser',
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 3, pure_getters: true, keep_fargs: false, inline: 1 },
    },
    // The content security policy forbids inline scripts and styles, so nothing may be inlined into the HTML.
    modulePreload: {
      polyfill: false,
      // Later chunks do not preload files that every page has after the first load.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !/\/(vendor|shared|rolldown-runtime)-/.test(file)) : files,
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        // Libraries rarely change, so their separate chunk stays cached over releases.
        // Not in it are the stream player, which is loaded only when a stream is played, and i18next, which the first
        // texts do not need.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules\/(?!hls\.js|(react-)?i18next)/ },
            // One chunk for code that nearly all others need; two small chunks would be larger in total.
            {
              name: 'shared',
              test: /\/src\/(app\/hooks|components\/cx|domain\/(clock|columns|offerChanges|oddsFormat)|platform\/(connection\/connectionSelectors|offer\/offerSlice|preferences\/preferencesSlice|view\/requests)|i18n\/(locale|useTranslation))\.tsx?$/,
            },
            // Small modules that several later chunks share. In chunks of their own, the entry would list each of them.
            {
              name: 'totals',
              test: /\/src\/(domain\/(exclusion|ticket\/(stake|totals))|platform\/(account\/exclusionText|notices\/systemNotes|ticket\/totalOdd)|components\/(deliberatePress|modal|pageKeys|topModal|uuid|wholeNumbers)|features\/account\/realityState)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The translations are beside the server's configuration, one folder above.
    fs: { allow: ['..'] },
    proxy: {
      // The server accepts only requests from its own origin, so the proxy sets that origin.
      '/api': { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
      // The built scoreboard page and its images.
      '/scoreboard/': { target: server },
      '/demo/': { target: server },
    },
  },
})

/** A short hash of a file's path, independent of where the project is stored. */
function shortOf(file: string): string {
  return createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)
}

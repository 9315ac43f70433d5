import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the server listens during development. */
const server = process.env['KVOTA_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/',
  plugins: [react()],
  // The built-in names end in the line they stand on, which nothing can compress.
  css: { modules: { generateScopedName: (name, file) => `${name}-${shortOf(file)}` } },
  build: {
    target: 'es2022',
    sourcemap: false,
    // A twentieth smaller than the built-in one: worth its seconds where every first visit pays.
    minify: 'terser',
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 3, pure_getters: true, keep_fargs: false, inline: 1 },
    },
    // The content security policy allows neither inline scripts nor inline styles: nothing may be folded into HTML.
    modulePreload: {
      polyfill: false,
      // What every page has from its first load on is named by no chunk that comes later.
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
        // Libraries change seldom: a chunk of their own stays cached over releases.
        // The player of streams comes when a stream is played, and is no part of them.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules\/(?!hls\.js)/ },
            // What nearly every chunk needs, in one: two small ones weigh more.
            {
              name: 'shared',
              test: /\/src\/(app\/hooks|components\/cx|domain\/(offerChanges|oddsFormat)|features\/offer\/offerSlice|i18n\/(locale|useTranslation))\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The translations live beside the server's configuration, one folder above.
    fs: { allow: ['..'] },
    proxy: {
      // The server takes requests of its own origin alone: to it the page comes from there.
      '/api': { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
      // The match tracker as it was built, and the pictures.
      '/scoreboard/': { target: server },
      '/demo/': { target: server },
    },
  },
})

/** Four letters for a file, the same wherever the project lies. */
function shortOf(file: string): string {
  return createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)
}

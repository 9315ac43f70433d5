/**
 * The match tracker's page: a build of its own, so that the client's first load shares nothing with it and is not cut
 * otherwise because of it.
 */
import { defineConfig } from 'vite'
import client from './vite.config.ts'

export default defineConfig({
  base: '/',
  publicDir: false,
  build: {
    ...client.build,
    emptyOutDir: false,
    rolldownOptions: {
      input: 'scoreboard.html',
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})

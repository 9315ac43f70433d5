/**
 * Builds the scoreboard page separately, so that it does not change how the client's first load is split into chunks.
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

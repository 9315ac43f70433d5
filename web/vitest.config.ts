import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { groupBy } from './src/domain/groupBy.ts'

// The reporter of failures wants this of Node 21; with Node 20 it would fail instead of telling what failed.
Map.groupBy ??= groupBy as typeof Map.groupBy

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // Properties play many cases; a slow machine is no failure.
    testTimeout: 30_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})

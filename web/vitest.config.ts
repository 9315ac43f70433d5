import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { groupBy } from './src/domain/groupBy.ts'

// The failure reporter needs `Map.groupBy`, which Node 20 does not have; without it the reporter itself would fail.
Map.groupBy ??= groupBy as typeof Map.groupBy

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => join('src', name))

/** A mocked module must not be what another file imports, so these files get modules of their own. */
const mocking = files.filter((name) => readFileSync(name, 'utf8').includes('vi.mock('))

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'happy-dom',
    maxWorkers: '100%',
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // Property tests run many cases and may be slow on a busy machine.
    testTimeout: 30_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      { extends: true, test: { name: 'mocking', include: mocking } },
      // Loading all modules and a window again for each file would take four fifths of the time.
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: files.filter((name) => !mocking.includes(name)) },
      },
    ],
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { groupBy } from './src/domain/groupBy.ts'

// The failure reporter needs `Map.groupBy`, which Node 20 does not have; without it the reporter itself would fail.
Map.groupBy ??= groupBy as typeof Map.groupBy

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // Property tests run many cases and may be slow on a busy machine.
    testTimeout: 30_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})

/**
 * The browser tests run against the real program. Each worker starts `KVOTA_BIN`, built with the feature `testkit`, on
 * a free port. If `KVOTA_URL` names a running program, that is used, and tests that stop it or change its feed are
 * skipped. The browser is Debian's headless Chromium, or the full one if that is not installed, or `CHROMIUM_BIN`.
 */
import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const WHOLE_CHROMIUM = '/usr/bin/chromium'
const HEADLESS_CHROMIUM = '/usr/bin/chromium-headless-shell'

/** The tests of pages that `pages.setup.ts` builds; all others use the program. */
const FIXTURE = ['states.spec.ts', 'screens.spec.ts', 'hostile.spec.ts', 'targets.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each worker has its own program. Tests mostly wait, so two workers on two cores are fine.
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  // No retries: a flaky test must be reported as a failure.
  retries: 0,
  failOnFlakyTests: true,
  expect: {
    timeout: 30_000,
    // docs/client.md explains these thresholds.
    toHaveScreenshot: { pathTemplate: '{testDir}/screens/{arg}{ext}', threshold: 0.032, maxDiffPixels: 40 },
  },
  reporter: [['list']],
  projects: [
    { name: 'pages', testMatch: 'pages.setup.ts' },
    { name: 'fixture', testMatch: FIXTURE, dependencies: ['pages'] },
    { name: 'program', testIgnore: [...FIXTURE, 'pages.setup.ts'] },
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 1000 },
    colorScheme: 'dark',
    locale: 'hr-HR',
    screenshot: 'only-on-failure',
    // To fill the cache of a service worker costs as much as half a page; `offline.spec.ts` tests it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath:
        process.env['CHROMIUM_BIN'] || (existsSync(HEADLESS_CHROMIUM) ? HEADLESS_CHROMIUM : WHOLE_CHROMIUM),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page of a test lives for a second or two, so optimising its code costs more than it saves.
        '--js-flags=--no-maglev --no-turbofan',
        // Draws text the same on every machine.
        '--font-render-hinting=none',
        '--disable-lcd-text',
        '--force-color-profile=srgb',
      ],
    },
  },
})

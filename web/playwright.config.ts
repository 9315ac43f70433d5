/**
 * The browser tests run against the real program: `KVOTA_BIN`, built with the feature `testkit`, is started by each worker on
 * a free port, or `KVOTA_URL` is one that runs already (tests that stop the program or change its feed are skipped then). The browser is Debian's Chromium
 * without what only a window needs, or with it where the other is not installed; `CHROMIUM_BIN` names another.
 */
import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const WHOLE_CHROMIUM = '/usr/bin/chromium'
const HEADLESS_CHROMIUM = '/usr/bin/chromium-headless-shell'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each has a program of its own; a test waits more than it works, so two share two cores well.
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  // A test that passes only at its second try is a failure, and is named as one.
  retries: 0,
  failOnFlakyTests: true,
  expect: {
    timeout: 15_000,
    // How they are chosen is told in docs/client.md.
    toHaveScreenshot: { pathTemplate: '{testDir}/screens/{arg}{ext}', threshold: 0.032, maxDiffPixels: 40 },
  },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 1000 },
    colorScheme: 'dark',
    locale: 'hr-HR',
    screenshot: 'only-on-failure',
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
        // Text is drawn alike on every machine.
        '--font-render-hinting=none',
        '--disable-lcd-text',
        '--force-color-profile=srgb',
      ],
    },
  },
})

/** Runs before the tests of the gallery and the fixture. */
import { test } from '@playwright/test'
import { buildPages } from './built'

test('the gallery and the fixture are built', buildPages)

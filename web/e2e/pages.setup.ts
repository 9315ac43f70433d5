import { test } from '@playwright/test'
import { buildPages } from './built'

test('the gallery and the fixture are built', buildPages)

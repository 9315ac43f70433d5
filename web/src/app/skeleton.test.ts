/** The skeleton in `index.html`, which no component renders. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import bs from '../../../config/translations/bs.json'
import en from '../../../config/translations/en.json'
import hr from '../../../config/translations/hr.json'
import sr from '../../../config/translations/sr.json'

const html = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8')
const skeleton = new DOMParser()
  .parseFromString(html.slice(html.indexOf('<body>')), 'text/html')
  .querySelector('.early')

test('its status has the text of every language', () => {
  const texts = [...(skeleton?.querySelectorAll('[role="status"] > [lang]') ?? [])]
  expect(Object.fromEntries(texts.map((text) => [text.getAttribute('lang'), text.textContent]))).toEqual({
    hr: hr.loading,
    en: en.loading,
    bs: bs.loading,
    sr: sr.loading,
  })
})

test('its shapes are hidden from screen readers', () => {
  const shapes = [...(skeleton?.querySelectorAll('svg, div:not([role])') ?? [])]
  expect(shapes.map((shape) => shape.getAttribute('aria-hidden'))).toEqual(['true', 'true', 'true', 'true'])
})

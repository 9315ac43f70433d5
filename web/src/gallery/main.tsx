/**
 * Every component in every state, to look at while developing and for the tests that compare pictures. `npm run dev`,
 * then `/gallery.html?theme=light&lang=en#ticket`. Never part of the build: nothing of the client uses it, and
 * `scripts/size.mjs` fails where a file of the build has its mark.
 *
 * `still` stops whatever moves, `font` is the same on every machine: both are for the tests.
 */
import { createRoot } from 'react-dom/client'
import '../styles/tokens.css'
import '../styles/global.css'
import { wearFont } from '../../e2e/fixture/font'
import { looksOf } from '../../e2e/fixture/store'
import { LOCALES } from '../i18n/locale'
import { forceable } from './forced'
import { Gallery } from './Gallery'
import { QUERY } from './stores'
import { hold } from './world'

const { language, theme } = looksOf(QUERY)
const html = document.documentElement
html.dataset['theme'] = theme
html.lang = LOCALES[language]
if (QUERY.has('still')) {
  html.dataset['still'] = ''
}
wearFont(QUERY)
hold()
forceable(document.styleSheets)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(<Gallery />)
}

/**
 * The gallery: every component in every state, for development and screenshot tests. Run `npm run dev` and open
 * `/gallery.html?theme=light&lang=en#ticket`. It must not be part of the build: the client must not import it, and
 * `scripts/size.mjs` fails if a file of the build contains its mark.
 *
 * The parameters `still` (stops all animations) and `font` (the same font on every machine) are for the tests.
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

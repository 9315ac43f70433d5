/** The entry point: creates the store, starts the listeners and renders the page. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import '../styles/tokens.css'
import '../styles/global.css'
import { ErrorBoundary } from '../components/ErrorBoundary'
import { PageTexts } from '../i18n/pageTexts'
import { WordsProvider } from '../i18n/useTranslation'
import { browserSavesData, browserStorage, loadPreferences } from '../platform/preferences/preferencesStorage'
import { loadHidden } from '../platform/view/hiddenStorage'
import { viewSlice } from '../platform/view/viewSlice'
import { ErrorPage } from './ErrorPage'
import { browserWorld, startListeners } from './listeners'
import { listReady } from './listReady'
import { loadRestAfter, words } from './parts'
import { Root } from './Root'
import { makeStore } from './store'

const preferences = loadPreferences(browserStorage(), browserSavesData())
const i18n = new PageTexts(words)
const view = { ...viewSlice.getInitialState(), hiddenMatches: loadHidden(browserStorage()) }
const store = makeStore({ preferences, view })
loadRestAfter(listReady(store))
startListeners(store, browserWorld(i18n))
void i18n.load()

// The list restores its scroll position itself.
history.scrollRestoration = 'manual'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <WordsProvider i18n={i18n}>
        <Provider store={store}>
          <ErrorBoundary fallback={<ErrorPage />}>
            <Root />
          </ErrorBoundary>
        </Provider>
      </WordsProvider>
    </StrictMode>,
  )
}

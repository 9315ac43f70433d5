import { type RenderOptions, render } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { Provider } from 'react-redux'
import hr from '../../../config/translations/hr.json'
import { type AppStore, makeStore, type RootState } from '../app/store'
import { applyChanges } from '../domain/offerChanges'
import type { PageTexts } from '../i18n/pageTexts'
import { WordsProvider } from '../i18n/useTranslation'
import { offerLoaded } from '../platform/offer/offerSlice'
import { applyMessages } from '../protocol/applyFrame'
import type { ToldMatch, ToldOffer } from '../protocol/frames'
import { loadOffer, matchMessages } from '../protocol/loadOffer'
import { makeI18n } from './makeI18n'

/** A store with an offer as if from the server. The matches in `opened` have all their markets. */
export function storeWith(
  told: ToldOffer,
  { preloaded = {}, opened = [] }: { preloaded?: Partial<RootState>; opened?: readonly ToldMatch[] } = {},
): AppStore {
  const store = makeStore(preloaded)
  let offer = loadOffer(told)
  for (const match of opened) {
    offer = applyChanges(offer, applyMessages(offer, matchMessages(offer, match), new Set([match.id])).changes)
  }
  store.dispatch(offerLoaded({ offer, feed: 'active', dateMs: told.dateMs }))
  return store
}

interface Options extends Omit<RenderOptions, 'wrapper'> {
  store?: AppStore
}

interface ProvidersProps {
  store: AppStore
  i18n: PageTexts
  children: ReactNode
}

function Providers({ store, i18n, children }: ProvidersProps) {
  return (
    <WordsProvider i18n={i18n}>
      <Provider store={store}>{children}</Provider>
    </WordsProvider>
  )
}

/** Renders a component with a store and the Croatian texts. */
export function renderWithProviders(ui: ReactElement, { store = makeStore(), ...options }: Options = {}) {
  const i18n = makeI18n('hr', hr)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Providers store={store} i18n={i18n}>
      {children}
    </Providers>
  )
  return { store, i18n, ...render(ui, { wrapper, ...options }) }
}

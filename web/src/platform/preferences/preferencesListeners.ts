/** Saves the preferences and applies the theme to the page. */
import type { AppStartListening, AppStore } from '../../app/store'
import type { PreferencesState } from './preferencesSlice'
import { savePreferences } from './preferencesStorage'

export function startPreferences(
  store: AppStore,
  startListening: AppStartListening,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): () => void {
  applyTheme(store.getState().preferences)
  return startListening({
    predicate: (_, now, before) => now.preferences !== before.preferences,
    effect: (_, api) => {
      const { preferences } = api.getState()
      savePreferences(storage, preferences, api.getOriginalState().preferences)
      applyTheme(preferences)
    },
  })
}

function applyTheme({ theme }: PreferencesState): void {
  document.documentElement.dataset['theme'] = theme
}

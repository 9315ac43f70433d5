/**
 * Translations for components. If each of hundreds of components subscribed to the texts, every render would be slower.
 * Here one provider subscribes and passes a language change on through a context.
 */
import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from 'react'
import type { I18n, TFunction } from './i18n'

interface Words {
  readonly t: TFunction
  readonly i18n: I18n
}

const WordsContext = createContext<Words | null>(null)

/** Provides the texts of `i18n` to all components inside it. */
export function WordsProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const t = useSyncExternalStore(i18n.onTurned, () => i18n.t)
  const words = useMemo(() => ({ t, i18n }), [t, i18n])
  return <WordsContext value={words}>{children}</WordsContext>
}

/** The current texts. The component renders again when they change. */
export function useTranslation(): Words {
  const words = use(WordsContext)
  if (!words) {
    throw new Error('words are used outside of their provider')
  }
  return words
}

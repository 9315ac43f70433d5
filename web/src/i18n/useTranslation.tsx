/**
 * Translations for components. If each of hundreds of components subscribed to i18next, every render would be slower.
 * Here one provider subscribes and passes a language change on through a context.
 */
import type { i18n as I18n, TFunction } from 'i18next'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'

interface Words {
  readonly t: TFunction
  readonly i18n: I18n
}

const WordsContext = createContext<Words | null>(null)

/** Provides the texts of `i18n` to all components inside it. */
export function WordsProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const [words, setWords] = useState(() => wordsOf(i18n))
  useEffect(() => {
    const update = () => setWords(wordsOf(i18n))
    i18n.on('languageChanged', update)
    i18n.store.on('added', update)
    // The texts may have changed after the first render.
    update()
    return () => {
      i18n.off('languageChanged', update)
      i18n.store.off('added', update)
    }
  }, [i18n])
  return <WordsContext value={words}>{children}</WordsContext>
}

/** A new object, and a new `t`, each time: components depend on them. */
function wordsOf(i18n: I18n): Words {
  return { t: i18n.getFixedT(i18n.language), i18n }
}

/** The current texts. The component renders again when they change. */
export function useTranslation(): Words {
  const words = use(WordsContext)
  if (!words) {
    throw new Error('words are used outside of their provider')
  }
  return words
}

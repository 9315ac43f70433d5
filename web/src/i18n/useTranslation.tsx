/**
 * The words of the page. A page has hundreds of components with words in them: one subscribes to i18next for all, and
 * tells the others when the texts or the language are other ones.
 */
import type { i18n as I18n, TFunction } from 'i18next'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'

interface Words {
  readonly t: TFunction
  readonly i18n: I18n
}

const WordsContext = createContext<Words | null>(null)

/** Gives all that is within it the words of `i18n`. */
export function WordsProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const [words, setWords] = useState(() => wordsOf(i18n))
  useEffect(() => {
    const tell = () => setWords(wordsOf(i18n))
    i18n.on('languageChanged', tell)
    i18n.store.on('added', tell)
    // What came between the first render and now.
    tell()
    return () => {
      i18n.off('languageChanged', tell)
      i18n.store.off('added', tell)
    }
  }, [i18n])
  return <WordsContext value={words}>{children}</WordsContext>
}

/** Another `t` each time: whoever keeps what it said keeps it by that. */
function wordsOf(i18n: I18n): Words {
  return { t: i18n.getFixedT(i18n.language), i18n }
}

/** The words; it renders again where they are other ones. */
export function useTranslation(): Words {
  const words = use(WordsContext)
  if (!words) {
    throw new Error('words are used outside of their provider')
  }
  return words
}

/**
 * The words of the page. A page has hundreds of components with words in them; each would subscribe to i18next by
 * itself and pay for that at every render. Here one does for all, and tells the others when the language has changed.
 */
import type { i18n as I18n, TFunction } from 'i18next'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { I18nextProvider, useTranslation as useI18next } from 'react-i18next'

interface Words {
  readonly t: TFunction
  readonly i18n: I18n
}

const WordsContext = createContext<Words | null>(null)

/** Gives all that is within it the words of `i18n`. */
export function WordsProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return (
    <I18nextProvider i18n={i18n}>
      <Subscriber>{children}</Subscriber>
    </I18nextProvider>
  )
}

function Subscriber({ children }: { children: ReactNode }) {
  const { t, i18n } = useI18next()
  const words = useMemo(() => ({ t, i18n }), [t, i18n])
  return <WordsContext value={words}>{children}</WordsContext>
}

/** As the hook of react-i18next; it renders again where the words are other ones. */
export function useTranslation(): Words {
  const words = use(WordsContext)
  if (!words) {
    throw new Error('words are used outside of their provider')
  }
  return words
}

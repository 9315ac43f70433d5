/**
 * Translations for components. With react-i18next each of hundreds of components would subscribe to i18next, at a cost
 * for every render. Here one provider subscribes and passes a language change on through a context.
 */
import type { i18n as I18n, TFunction } from 'i18next'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { I18nextProvider, useTranslation as useI18next } from 'react-i18next'

interface Words {
  readonly t: TFunction
  readonly i18n: I18n
}

const WordsContext = createContext<Words | null>(null)

/** Provides the texts of `i18n` to all components inside it. */
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

/** Works like the hook of react-i18next. The component renders again when the texts change. */
export function useTranslation(): Words {
  const words = use(WordsContext)
  if (!words) {
    throw new Error('words are used outside of their provider')
  }
  return words
}

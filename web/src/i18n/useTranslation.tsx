/**
 * Translations for components. With react-i18next each of hundreds of components would subscribe to i18next, at a cost
 * for every render. Here one provider subscribes and passes a language change on through a context.
 */
import type { TFunction } from 'i18next'
import { createContext, type ReactNode, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { PageTexts } from './pageTexts'

interface Words {
  readonly t: TFunction
  readonly i18n: PageTexts
}

const WordsContext = createContext<Words | null>(null)

/** Provides the texts of `i18n` to all components inside it. They do not render again when i18next takes over. */
export function WordsProvider({ i18n, children }: { i18n: PageTexts; children: ReactNode }) {
  const [words, setWords] = useState<Words>({ t: i18n.t, i18n })
  const translator = useSyncExternalStore(i18n.onTranslator, () => i18n.translator)
  const turn = useCallback((t: TFunction) => setWords({ t, i18n }), [i18n])
  // Another function, as i18next has one for each language.
  useEffect(() => i18n.onTurned(() => turn(i18n.t.bind(null) as TFunction)), [i18n, turn])
  return (
    <>
      {translator && <translator.Subscriber i18n={translator.i18n} language={translator.language} onTurned={turn} />}
      <WordsContext value={words}>{children}</WordsContext>
    </>
  )
}

/** Works like the hook of react-i18next. The component renders again when the texts change. */
export function useTranslation(): Words {
  const words = use(WordsContext)
  if (!words) {
    throw new Error('words are used outside of their provider')
  }
  return words
}

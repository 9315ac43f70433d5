/** i18next with flat keys, and its binding to React. A chunk of its own, which the list does not wait for. */
import i18next, { type i18n as I18n, type TFunction } from 'i18next'
import { useLayoutEffect, useRef } from 'react'
import { I18nextProvider, initReactI18next, useTranslation } from 'react-i18next'
import type { LanguageCode } from './locale'

function makeI18n(language: LanguageCode, texts: Readonly<Record<string, string>>): I18n {
  const instance = i18next.createInstance()
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: texts } },
    keySeparator: false,
    nsSeparator: false,
    // React escapes texts itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  return instance
}

interface TurnedProps {
  /** The language that is shown at first. */
  readonly language: LanguageCode
  readonly onTurned: (t: TFunction) => void
}

/** Passes on each change of the language. */
function Subscriber({ i18n, ...props }: TurnedProps & { readonly i18n: I18n }) {
  return (
    <I18nextProvider i18n={i18n}>
      <Turned {...props} />
    </I18nextProvider>
  )
}

function Turned({ language, onTurned }: TurnedProps) {
  const { t, i18n } = useTranslation()
  const shown = useRef<string>(language)
  useLayoutEffect(() => {
    if (shown.current !== i18n.language) {
      shown.current = i18n.language
      onTurned(t)
    }
  }, [t, i18n, onTurned])
  return null
}

/** The exports of this chunk, in one object. */
export const translator = { makeI18n, Subscriber }

// Before the first paint: the theme and the language as they were saved. Where the page says that it wants them, the
// texts of that language are asked for too, while the scripts are still on their way. A file of its own, for the page's
// policy forbids scripts within it; the preferences are read again, with care, by preferencesStorage.ts.
;(() => {
  const root = document.documentElement
  const locales = { hr: 'hr-HR', en: 'en-US', bs: 'bs-Latn-BA', sr: 'sr-Cyrl-RS' }
  function saved(key) {
    try {
      return JSON.parse(localStorage.getItem(`cn-${key}`))
    } catch (_) {
      return null
    }
  }
  const theme = saved('theme')
  if (theme === 'dark' || theme === 'light') {
    root.dataset.theme = theme
  }
  const saidLanguage = saved('language')
  const language = Object.hasOwn(locales, saidLanguage) ? saidLanguage : 'hr'
  root.lang = locales[language]
  if ('texts' in document.currentScript.dataset) {
    const texts = document.createElement('link')
    texts.rel = 'preload'
    texts.as = 'fetch'
    texts.crossOrigin = 'anonymous'
    texts.href = `/api/v1/live/translations?lang=${language}`
    document.head.append(texts)
  }
})()

// Before the first paint: the saved theme and language. With `data-texts` it also requests the texts and the offer in that
// language, while the scripts load. It is a separate file because the page's policy forbids inline scripts. The
// preferences are read again, and checked, by preferencesStorage.ts.
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
    window.earlyOffer = {
      language,
      body: fetch(`/api/v1/live/offer?view=rows&lang=${language}`, { headers: { accept: 'application/msgpack' } })
        .then((answer) => (answer.status === 200 ? answer.arrayBuffer() : null))
        .catch(() => null),
    }
  }
})()

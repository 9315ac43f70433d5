// Before the first paint: the theme and the language as they were saved. A file of its own, for the page's policy
// forbids scripts within it; the preferences are read again, with care, by preferencesStorage.ts.
;(() => {
  var root = document.documentElement
  var locales = { hr: 'hr-HR', en: 'en-US', bs: 'bs-Latn-BA', sr: 'sr-Cyrl-RS' }
  function saved(key) {
    try {
      return JSON.parse(localStorage.getItem(`cn-${key}`))
    } catch (_) {
      return null
    }
  }
  var theme = saved('theme')
  if (theme === 'dark' || theme === 'light') {
    root.dataset.theme = theme
  }
  var locale = locales[saved('language')]
  if (locale) {
    root.lang = locale
  }
})()

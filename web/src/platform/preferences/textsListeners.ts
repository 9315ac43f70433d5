/** Loads the texts of the chosen language, repeatedly if that fails, and switches the page to it. */
import type { AppStartListening, AppStore } from '../../app/store'
import { LOCALES } from '../../i18n/locale'
import type { PageTexts } from '../../i18n/pageTexts'
import { backoffMs } from '../../protocol/backoff'
import type { Language } from './preferencesSlice'
import { textsLoaded } from './textsSlice'

/** New texts change the layout, so a `resize` event follows after this time. */
export const RESIZE_AFTER_MS = 1000

export interface TextsWorld {
  readonly i18n: Pick<PageTexts, 'turn'>
  readonly fetchTranslations: (language: string, signal: AbortSignal) => Promise<Record<string, string>>
  /** The texts from build time, used if the server does not answer. */
  readonly shellTexts: (language: Language) => Promise<Record<string, string>>
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export function startTexts(store: AppStore, startListening: AppStartListening, world: TextsWorld): () => void {
  let turning = new AbortController()
  const turn = (language: Language) => {
    turning.abort()
    turning = new AbortController()
    turnPage(store, world, language, turning.signal).catch(ignoreGivenUp)
  }
  const stop = startListening({
    predicate: (_, now, before) => now.preferences.language !== before.preferences.language,
    effect: (_, api) => turn(api.getState().preferences.language),
  })
  turn(store.getState().preferences.language)
  return () => {
    stop()
    turning.abort()
  }
}

async function turnPage(store: AppStore, world: TextsWorld, language: Language, signal: AbortSignal): Promise<void> {
  const texts = await getTexts(world, language, signal)
  signal.throwIfAborted()
  await world.i18n.turn(language, texts)
  document.documentElement.lang = LOCALES[language]
  store.dispatch(textsLoaded(language))
  await world.wait(RESIZE_AFTER_MS, signal)
  window.dispatchEvent(new Event('resize'))
}

async function getTexts(world: TextsWorld, language: Language, signal: AbortSignal): Promise<Record<string, string>> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await world.fetchTranslations(language, signal)
    } catch {
      signal.throwIfAborted()
      const texts = await world.shellTexts(language).catch(() => null)
      if (texts) {
        return texts
      }
      await world.wait(backoffMs(attempts, world.random), signal)
    }
  }
}

function ignoreGivenUp(): void {
  // Another language was chosen meanwhile, or the listener was stopped.
}

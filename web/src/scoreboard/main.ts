/**
 * The entry point of the scoreboard page (match tracker), `/scoreboard/{id}`: loads its texts, follows its match at the
 * hub and shows it. The page works inside the client's frame and on its own.
 */
import '../styles/tokens.css'
import '../styles/global.css'
import './scoreboard.css'
import { type LanguageCode, LOCALES } from '../i18n/locale'
import { backoffMs } from '../protocol/backoff'
import { BROWSER } from '../protocol/browserHub'
import { HubClient } from '../protocol/hubClient'
import { type Address, languageOf, readAddress } from './address'
import { Link, type View } from './link'
import { Page, TABS } from './page'
import { makeTexts, type Texts } from './texts'
import { wearTheme } from './theme'

const TICK_MS = 500

async function getTexts(language: LanguageCode | null): Promise<Texts> {
  const query = language ? `?lang=${language}` : ''
  for (let attempts = 0; ; attempts += 1) {
    try {
      const answer = await fetch(`/api/v1/live/translations${query}`, { credentials: 'same-origin' })
      if (answer.ok) {
        const locale = language ? LOCALES[language] : (answer.headers.get('content-language') ?? LOCALES.hr)
        document.documentElement.lang = locale
        return makeTexts((await answer.json()) as Record<string, string>, languageOf(locale.slice(0, 2)) ?? 'hr')
      }
    } catch {
      // Repeated below, as after any other failure.
    }
    await new Promise((resolve) => setTimeout(resolve, backoffMs(attempts, Math.random)))
  }
}

/** Posts the title of the first tab to the surrounding page, if that has the same origin. */
function postTitle(matchId: number, field: string): void {
  if (window.parent !== window) {
    window.parent.postMessage({ kind: 'kvota-tracker', matchId, field }, window.location.origin)
  }
}

function hubUrl(language: LanguageCode | null): string {
  const base = window.location.origin.replace(/^http/, 'ws')
  return `${base}/api/v1/live/hub${language ? `?lang=${language}` : ''}`
}

async function start(address: Address): Promise<void> {
  const texts = await getTexts(address.language)
  document.title = texts.t('trackerTitle')
  const page = new Page(texts, { ...address, isFramed: window.parent !== window }, (title) =>
    postTitle(address.matchId, title),
  )
  document.getElementById('root')?.replaceChildren(page.root)
  let shown: View = { kind: 'loading' }
  let isDue = false
  const link = new Link(
    address.matchId,
    { connect: (events) => new HubClient(hubUrl(address.language), events, BROWSER), now: () => Date.now() },
    (view) => {
      shown = view
      // Draw once per paint, however many messages arrive. A hidden page draws when it is shown again.
      if (!isDue) {
        isDue = true
        requestAnimationFrame(() => {
          isDue = false
          draw()
        })
      }
    },
  )
  const draw = () => {
    page.show(shown, link.serverNow())
  }
  if (!address.hasTabs) {
    window.addEventListener('message', ({ source, origin, data }) => {
      if (source === window.parent && origin === window.location.origin && data?.kind === 'kvota-tab') {
        const tab = TABS.find((name) => name === data.tab)
        if (tab) {
          page.turn(tab)
        }
      }
    })
  }
  setInterval(() => page.tick(link.serverNow()), TICK_MS)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) {
      link.probe()
    }
  })
}

const address = readAddress(window.location.pathname, window.location.search)
if (address) {
  wearTheme(address)
  void start(address)
}

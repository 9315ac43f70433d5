/** The parts of the page that load later, each in a separate chunk. */
import { later, persist } from '../components/later'
import { MatchSkeleton } from '../features/match/MatchSkeleton'
import { PageSkeleton } from './PageSkeleton'
import { TicketWaiting } from './TicketWaiting'

let isListReady: Promise<unknown> = Promise.resolve()

/** Delays the chunks that the list does not need, so that they do not share a slow network with the offer. */
export function loadRestAfter(ready: Promise<unknown>): void {
  isListReady = ready
}

const bettor = once(async () => {
  await isListReady
  return (await import('./bettor')).bettorParts
})

const extras = once(async () => {
  await isListReady
  return (await import('./extras')).extraParts
})

/** Loads i18next after the ticket's chunk: the first texts do not need it. */
const translator = once(async () => {
  await bettor().catch(() => null)
  return (await import('../i18n/translator')).translator
})

export function words() {
  return persist(translator)
}

/** Loads the live offer. It is requested at once: the offer is fetched only when the hub is connected. */
export function live() {
  return persist(async () => (await import('./live')).liveParts)
}

/** Loads the ticket's chunk after the next paint, so that it does not delay the first one. */
export async function bettorAfterPaint() {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  return persist(bettor)
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

export const HeaderTools = later(async () => (await extras()).HeaderTools)
export const AppFooter = later(async () => (await extras()).AppFooter)
export const Banners = later(async () => (await extras()).Banners)
export const FavouriteStrip = later(async () => (await extras()).FavouriteStrip)
export const Announcer = later(async () => (await extras()).Announcer)
export const ExtrasOver = later(async () => (await extras()).ExtrasOver)
export const MatchView = later(async () => (await import('./MatchView')).MatchView, MatchSkeleton)
export const LoginPage = later(async () => (await import('../features/account/LoginPage')).LoginPage, PageSkeleton)
export const BetsPage = later(async () => (await import('./BetsView')).BetsView, PageSkeleton)
export const SoonPage = later(async () => (await import('../features/soon/SoonPage')).SoonPage, PageSkeleton)
export const EndedPage = later(async () => (await import('../features/ended/EndedPage')).EndedPage, PageSkeleton)
export const StatementPage = later(
  async () => (await import('../features/statement/StatementPage')).StatementPage,
  PageSkeleton,
)
export const TicketColumn = later(async () => (await bettor()).TicketColumn, TicketWaiting)
export const BettorOver = later(async () => (await bettor()).BettorOver)
export const BottomBar = later(async () => (await bettor()).BottomBar)

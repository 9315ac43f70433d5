/**
 * The parts of the page that come later, each a chunk of its own. A chunk that does not come, for the connection broke
 * or a new version was put in place, is asked for again before the page gives up.
 */
import { type ComponentType, lazy } from 'react'

const AGAIN_AFTER_MS = [500, 2000, 5000]

async function persist<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const ms of AGAIN_AFTER_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  return load()
}

const bettor = once(() => persist(() => import('./bettor').then(({ bettorParts }) => bettorParts)))

const extras = once(() => persist(() => import('./extras').then(({ extraParts }) => extraParts)))

/** The same, without getting into the way of the first paint. */
export async function bettorAfterPaint() {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  return bettor()
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

function part<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }))
}

export const HeaderTools = part(async () => (await extras()).HeaderTools)
export const FavouriteStrip = part(async () => (await extras()).FavouriteStrip)
export const ExtrasOver = part(async () => (await extras()).ExtrasOver)
export const MatchView = lazy(() => persist(() => import('./MatchView')))
export const LoginPage = lazy(() => persist(() => import('../features/account/LoginPage')))
export const BetsPage = lazy(() => persist(() => import('../features/bets/BetsPage')))
export const TicketPanel = part(async () => (await bettor()).TicketPanel)
export const BettorOver = part(async () => (await bettor()).BettorOver)
export const BottomBar = part(async () => (await bettor()).BottomBar)

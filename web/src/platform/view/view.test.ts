import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import {
  loginRequired,
  matchClosed,
  matchHiddenToggled,
  matchOpened,
  pageLeft,
  pageOpened,
  panelTurned,
  tagSelected,
} from './viewSlice'
import { hrefOf, readUrl } from './viewUrl'

const offer = anOffer([aSport({ matches: [aMatch({ id: 17 }), aMatch({ id: 18 })] })])
let world: FakeWorld

async function visit(href: string) {
  world?.stop()
  world = startFakeWorld({ offer, href })
  world.fetchMatch.mockImplementation(async (id) => aMatch({ id }))
  world.hub.socket.hello()
  await world.settle()
}

const opened = () => world.store.getState().view.openMatchId

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

describe('the URL', () => {
  it('of the main state is empty, and an opened match is a step of the history', async () => {
    await visit('/')
    world.store.dispatch(matchOpened(17))
    world.store.dispatch(matchOpened(18))
    world.store.dispatch(matchClosed())
    expect(world.url.history).toEqual(['/', '/?match=17', '/?match=18', '/'])
  })

  it('gone back to opens what was', async () => {
    await visit('/')
    world.store.dispatch(matchOpened(17))
    world.store.dispatch(matchOpened(18))
    world.url.back()
    expect(opened()).toBe(17)
    world.url.back()
    expect(opened()).toBe(null)
    expect(world.url.history).toEqual(['/'])
  })

  it('gone back closes what lay in front of the page', async () => {
    await visit('/')
    world.store.dispatch(matchOpened(17))
    world.store.dispatch(panelTurned('search'))
    world.url.back()
    expect(world.store.getState().view.panel).toBe(null)
  })

  it('opens the match it names', async () => {
    await visit('/?match=18')
    expect(opened()).toBe(18)
    expect(world.fetchMatch).toHaveBeenCalledTimes(1)
  })

  it('of a match that left is not one to go back to', async () => {
    await visit('/')
    world.store.dispatch(matchOpened(17))
    world.hub.socket.say([6, 17])
    await world.settle()
    expect(world.url.history).toEqual(['/', '/'])
  })

  it.each([
    ['', null],
    ['?match=17', 17],
    ['?a=b&match=0', 0],
    ['?match=', null],
    ['?match=-1', null],
    ['?match=1e3', null],
    ['?match=99999999999999999999', null],
    ['?match=x', null],
  ])('%s names %j', (search, matchId) => {
    expect(readUrl(search)).toEqual({ matchId, page: 'list' })
  })

  it.each([
    ['/?sport=5', [5]],
    ['/?sport=1,5,1', [1, 5]],
    [`/?sport=${Array.from({ length: 99 }, (_, id) => id)}`, Array.from({ length: 50 }, (_, id) => id)],
    ['/?sport=x,-1,1e3', []],
    ['/?sport=', []],
  ])('%.20s filters the list and is plain again', async (href, sports) => {
    await visit(href)
    expect(world.store.getState().preferences.sports).toEqual(sports)
    expect(world.url.history).toEqual([sports.length > 0 ? '/' : href])
  })

  it('says what it is read from', () => {
    expect([
      hrefOf({ matchId: null, page: 'list' }),
      hrefOf({ matchId: 17, page: 'list' }),
      hrefOf({ matchId: null, page: 'bets' }),
      hrefOf({ matchId: 17, page: 'login' }),
    ]).toEqual(['/', '/?match=17', '/?view=bets', '/?view=login&match=17'])
  })
})

describe('the login', () => {
  const page = () => world.store.getState().view.page

  it('replaces a page that requires it, and leads back to that page', async () => {
    await visit('/')
    world.store.dispatch(pageOpened('bets'))
    world.store.dispatch(loginRequired())
    expect([page(), world.url.history]).toEqual(['login', ['/', '/?view=login']])
    world.store.dispatch(pageLeft())
    expect([page(), world.url.history]).toEqual(['bets', ['/', '/?view=bets']])
  })

  it('replaces a required page without a loop when the user goes back', async () => {
    await visit('/')
    world.store.dispatch(pageOpened('statement'))
    world.store.dispatch(loginRequired())
    world.url.back()
    expect([page(), world.url.history]).toEqual(['list', ['/']])
  })

  it.each(['favourites', 'soon', 'starting', 'ended'] as const)(
    'leads back to a match of %s, also after the registration',
    async (from) => {
      await visit(`/?view=${from}&match=17`)
      world.store.dispatch(pageOpened('login'))
      world.store.dispatch(pageOpened('register'))
      world.url.back()
      expect(page()).toBe('login')
      world.store.dispatch(pageLeft())
      expect([page(), opened()]).toEqual([from, 17])
    },
  )

  it('leads to the list if another page was opened before it', async () => {
    await visit('/?view=bets')
    world.store.dispatch(loginRequired())
    world.store.dispatch(pageOpened('list'))
    world.store.dispatch(pageOpened('login'))
    world.store.dispatch(pageLeft())
    expect(page()).toBe('list')
  })

  it('leads to the list if the address opened it', async () => {
    await visit('/?view=login')
    world.store.dispatch(pageLeft())
    expect([page(), world.url.history]).toEqual(['list', ['/']])
  })
})

describe('the view', () => {
  it('forgets the tag when another match is opened', async () => {
    await visit('/?match=17')
    world.store.dispatch(tagSelected('g.Golovi'))
    world.store.dispatch(matchOpened(18))
    expect(world.store.getState().view.tag).toBe(null)
  })

  it('forgets that a match was hidden when it leaves', async () => {
    await visit('/')
    world.store.dispatch(matchHiddenToggled(17))
    world.store.dispatch(matchHiddenToggled(18))
    world.hub.socket.say([6, 17])
    await world.settle()
    expect(world.store.getState().view.hiddenMatches).toEqual({ 18: true })
    world.fetchOffer.mockResolvedValue(anOffer([aSport({ matches: [aMatch({ id: 19 })] })]))
    world.hub.socket.say([14, 'reload'])
    await world.settle()
    expect(world.store.getState().view.hiddenMatches).toEqual({})
  })
})

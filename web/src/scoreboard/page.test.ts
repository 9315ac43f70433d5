import { beforeEach, describe, expect, it, vi } from 'vitest'
import hr from '../../../config/translations/hr.json'
import { aMatch } from '../testing/builders'
import { type History, NO_HISTORY } from './history'
import { Page, type Summary } from './page'
import { makeTexts } from './texts'
import type { Tracked, TrackedMatch } from './tracked'

const summaries = vi.fn<(summary: Summary) => void>()

beforeEach(() => {
  document.body.replaceChildren()
  summaries.mockReset()
})

function aTracked(match: Partial<TrackedMatch> = {}, rest: Partial<Omit<Tracked, 'match'>> = {}): Tracked {
  const { markets: _, ball: __, ...row } = aMatch(match)
  return { match: row, ball: null, history: NO_HISTORY, detailRevision: 1, ...rest }
}

function show(tracked: Tracked, width: 355 | 530 = 530, hasTabs = true): Page {
  const page = new Page(makeTexts(hr), { width, hasTabs }, summaries)
  document.body.append(page.root)
  page.show({ kind: 'shown', tracked, isStale: false }, 0)
  return page
}

const query = (selector: string) => document.querySelector(selector)
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.textContent)

const HISTORY: History = {
  incidents: [
    { kind: 'corner', side: 1, seconds: 480, status: 'first_half', score: null, player: null },
    { kind: 'goal', side: 1, seconds: 2340, status: 'first_half', score: [1, 0], player: 'C. Wood' },
    { kind: 'yellow', side: 2, seconds: 2790, status: 'first_half', score: null, player: null },
    { kind: 'ownGoal', side: 2, seconds: 3000, status: 'second_half', score: [1, 1], player: 'B. Mee' },
  ],
  pressure: [4, -8, 0, 12],
  counts: [
    [116, 84],
    [20, 10],
    [41, 29],
    [5, 3],
    [0, 0],
    [1, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 0],
    [0, 0],
    [0, 0],
  ],
}

describe('soccer with a ball', () => {
  const soccer = aTracked(
    { corners: [5, 4], score: [1, 1], status: 'second_half' },
    { ball: { x: 80, y: 40, side: 1, action: 2 }, history: HISTORY },
  )

  it('has the pitch with the kind of attack, and who pressed', () => {
    show(soccer)
    expect(query('.pitch')?.getAttribute('aria-label')).toBe('Teren, Dinamo Zagreb, Opasan napad')
    expect(query('.pitch')?.getAttribute('data-side')).toBe('1')
    expect((query('.ball') as SVGElement).style.transform).toBe('translate(415.6px, 90.0px)')
    expect(document.querySelectorAll('.momentum rect').length).toBe(3)
    expect(document.querySelectorAll('.glow.lit').length).toBe(1)
  })

  it('shows the trail of where the ball was', () => {
    const page = show(soccer)
    page.show({ kind: 'shown', tracked: { ...soccer, ball: { x: 90, y: 50, side: 1, action: 3 } }, isStale: false }, 0)
    expect(query('.trail')?.getAttribute('d')).toBe('M415.6 90.0L465.8 109.0')
    page.show({ kind: 'shown', tracked: { ...soccer, ball: null }, isStale: false }, 0)
    expect(query('.trail')?.getAttribute('d')).toBe('')
    expect(texts('.pill text')[0]).toBe('2. poluvrijeme')
  })

  it('says it where the ball is not', () => {
    const page = show(soccer)
    const isLow = () => query('.pill')?.getAttribute('transform') === 'translate(0 144)'
    expect(isLow()).toBe(false)
    page.show({ kind: 'shown', tracked: { ...soccer, ball: { x: 55, y: 8, side: 1, action: 0 } }, isStale: false }, 0)
    expect(isLow()).toBe(true)
    page.show({ kind: 'shown', tracked: { ...soccer, ball: { x: 55, y: 80, side: 1, action: 0 } }, isStale: false }, 0)
    expect(isLow()).toBe(false)
  })

  it('counts in bars', () => {
    show(soccer)
    const bars = [...document.querySelectorAll('.panel.statistics .barlist > div')].map((bar) =>
      [...bar.children].map((child) => child.textContent),
    )
    expect(bars.slice(0, 4).map((bar) => bar.slice(0, 3))).toEqual([
      ['Posjed', '58%', '42%'],
      ['Udarci', '6', '3'],
      ['Opasni napadi', '41', '29'],
      ['Korneri', '5', '4'],
    ])
  })

  it('tells what happened, the newest first', () => {
    show(soccer)
    expect(texts('.story .at')).toEqual(["51'", "45+2'", "40'", "9'"])
    expect(texts('.story .what')).toEqual(['B. Mee (autogol)', 'Žuti karton', 'C. Wood', 'Korner'])
    expect(texts('.story .mark')).toEqual(['1:1', 'Hajduk Split', '1:0', 'Dinamo Zagreb'])
  })

  it('tells the page around what it may show too', () => {
    const page = show(soccer)
    expect(summaries).toHaveBeenCalledTimes(1)
    expect(summaries.mock.calls[0]?.[0]).toMatchObject({ field: 'Teren', lines: [{ when: "51'" }, {}, {}, {}] })
    page.show({ kind: 'shown', tracked: { ...soccer }, isStale: false }, 0)
    expect(summaries).toHaveBeenCalledTimes(1)
  })
})

describe('other sports', () => {
  it.each([
    ['rugby', 12, 'part', 'Poeni, Hajduk Split'],
    ['handball', 6, 'goal', 'Gol, Hajduk Split'],
  ])('%s names its own score', (_, sportId, mark, what) => {
    const scored = { kind: 'goal', side: 2, seconds: 1800, status: 'first_half', score: [12, 8], player: null } as const
    show(aTracked({ sportId }, { history: { incidents: [scored], pressure: [], counts: [] } }))
    expect(texts('.story .what')).toEqual([what])
    expect(summaries.mock.lastCall?.[0]).toMatchObject({ lines: [{ mark }] })
  })

  it('have the score of now with who serves, and each set', () => {
    show(
      aTracked({
        sportId: 5,
        status: 'set_2',
        score: [1, 0],
        scores: [
          [6, 4],
          [2, 3],
        ],
        game: ['40', 'AD'],
        playerServing: 2,
      }),
    )
    expect(texts('.figure')).toEqual(['1 : 0'])
    expect(texts('.points')).toEqual(['Gem 40 : AD'])
    expect(texts('.turn')).toEqual(['', 'servira'])
    expect(texts('tbody td')).toEqual(['6', '2', '1', '4', '3', '0'])
    expect(texts('.story .what')).toEqual(['1. set: Dinamo Zagreb'])
  })

  it.each<[string, Partial<TrackedMatch>, string[]]>([
    [
      'a rally sport counts points of the set',
      {
        sportId: 23,
        scores: [
          [25, 20],
          [7, 9],
        ],
      },
      ['Poeni 7 : 9'],
    ],
    ['darts count what is left', { sportId: 22, game: ['140', '501'] }, ['Preostalo 140 : 501']],
    ['snooker counts the frame', { sportId: 19, scores: [[17, 0]], game: ['17', '0'] }, ['Poeni 17 : 0']],
    ['basketball has nothing beside the score', { sportId: 2, scores: [[20, 18]] }, ['']],
    ['nothing runs any more at the end', { sportId: 22, game: ['0', '12'], status: 'ended' }, ['']],
  ])('%s', (_, match, points) => {
    show(aTracked(match))
    expect(texts('.points')).toEqual(points)
  })

  it('cricket has a target and overs', () => {
    show(
      aTracked({
        sportId: 21,
        status: 'innings_2',
        score: [42, 156],
        scores: [
          [0, 156],
          [42, 0],
        ],
        game: ['42/2', '156/6'],
        playerServing: 1,
        clock: { kind: 'text', text: '5.0' },
      }),
    )
    expect(texts('.extra')).toEqual(['Cilj 157, nedostaje 115'])
    expect(texts('.middle .when')).toEqual(['2. inning, 5.0 overa'])
  })

  it('of soccer without a ball the score is shown', () => {
    show(aTracked({ score: [2, 1], scores: [[2, 1]] }))
    expect(query('.pitch')).toBe(null)
    expect(texts('.tabs button')[0]).toBe('Rezultat')
  })

  it('of many parts the newest are shown', () => {
    show(aTracked({ sportId: 19, scores: Array.from({ length: 19 }, () => [60, 40] as const) }), 355)
    expect(texts('thead th [aria-hidden]')).toEqual(['13', '14', '15', '16', '17', '18', '19'])
  })
})

it('texts of the feed are texts, whatever is in them', () => {
  const hostile = '<img src=x onerror=alert(1)>"\'</script>'
  show(
    aTracked(
      {
        home: hostile,
        away: hostile,
        status: hostile,
        game: [hostile, hostile],
        clock: { kind: 'text', text: hostile },
      },
      {
        ball: { x: 1, y: 1, side: 1, action: 99 },
        history: {
          ...HISTORY,
          incidents: [{ kind: 'goal', side: 1, seconds: 1, status: hostile, score: [1, 0], player: hostile }],
        },
      },
    ),
  )
  show(aTracked({ sportId: 5, home: hostile, away: hostile, status: hostile, game: [hostile, hostile] }))
  expect(document.querySelectorAll('img, script').length).toBe(0)
  expect(texts('.story .what')[0]).toBe(hostile)
})

describe('the tabs', () => {
  it('turn with a click and with the arrows', () => {
    show(aTracked())
    const [field, statistics, timeline] = [...document.querySelectorAll('[role=tab]')] as HTMLButtonElement[]
    statistics?.click()
    expect(statistics?.getAttribute('aria-selected')).toBe('true')
    expect(query('.panel.field')?.hasAttribute('hidden')).toBe(true)
    statistics?.focus()
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    press('ArrowRight')
    expect(document.activeElement).toBe(timeline)
    press('ArrowRight')
    expect(document.activeElement).toBe(field)
    press('End')
    expect(timeline?.getAttribute('aria-selected')).toBe('true')
  })

  it('may be those of the page around', () => {
    const page = show(aTracked(), 355, false)
    expect(query('.tabs')?.hasAttribute('hidden')).toBe(true)
    page.turn('timeline')
    expect(query('.panel.timeline')?.hasAttribute('hidden')).toBe(false)
  })
})

it('what there is to say instead of a match is said', () => {
  const page = show(aTracked())
  for (const [kind, text] of [
    ['loading', hr.loading],
    ['inactive', hr.feedInactive],
    ['gone', hr.trackerGone],
  ] as const) {
    page.show({ kind }, 0)
    expect(texts('.state')).toEqual([text])
    expect(query('.body')?.hasAttribute('hidden')).toBe(true)
  }
})

import { beforeEach, describe, expect, it, vi } from 'vitest'
import hr from '../../../config/translations/hr.json'
import { aMatch } from '../testing/builders'
import { type History, NO_HISTORY } from './history'
import { Page } from './page'
import { makeTexts } from './texts'
import type { Tracked, TrackedMatch } from './tracked'

const titles = vi.fn<(title: string) => void>()

beforeEach(() => {
  document.body.replaceChildren()
  titles.mockReset()
})

function aTracked(match: Partial<TrackedMatch> = {}, rest: Partial<Omit<Tracked, 'match'>> = {}): Tracked {
  const { markets: _, ball: __, ...row } = aMatch(match)
  return { match: row, ball: null, history: NO_HISTORY, seen: [], detailRevision: 1, ...rest }
}

/** Shows a match; its drawing may not be loaded yet. */
function show(tracked: Tracked, width: 355 | 530 = 530, hasTabs = true): Page {
  const page = new Page(makeTexts(hr), { width, hasTabs }, titles)
  document.body.append(page.root)
  page.show({ kind: 'shown', tracked, isStale: false }, 0)
  return page
}

/** Shows a match once its drawing is loaded. */
async function shown(tracked: Tracked, width: 355 | 530 = 530): Promise<Page> {
  const page = show(tracked, width)
  await page.loaded()
  return page
}

const query = (selector: string) => document.querySelector(selector)
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.textContent)

const HISTORY: History = {
  incidents: [
    { kind: 'corner', side: 1, seconds: 480, status: 'first_half', score: null, player: null },
    { kind: 'goal', side: 1, seconds: 2340, status: 'first_half', score: [1, 0], player: 'C. Wood' },
    { kind: 'yellow', side: 2, seconds: 2790, status: 'first_half', score: null, player: null },
    { kind: 'red', side: 1, seconds: 2900, status: 'second_half', score: null, player: 'N. Wood' },
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

  it('has the ball, the attacked end and the pressure', async () => {
    await shown(soccer)
    expect(query('.stage')?.getAttribute('aria-label')).toBe('Teren: Opasan napad, Dinamo Zagreb')
    expect(query('.stage')?.classList.contains('bare')).toBe(false)
    expect(query('.call')?.className).toBe('call home')
    expect((query('.ball') as SVGElement).style.transform).toBe('translate(358.5px, 99.8px)')
    expect(document.querySelectorAll('.chart rect:not(.redcard)').length).toBe(3)
    expect(document.querySelectorAll('.glow.lit').length).toBe(1)
    expect(query('.chart')?.getAttribute('aria-label')).toBe(
      'Pritisak po minutama: Dinamo Zagreb pritišće više u 2 od 4 minuta.',
    )
  })

  it('moves the same ball, and draws where it was', async () => {
    const page = await shown(soccer)
    const ball = query('.ball')
    page.show({ kind: 'shown', tracked: { ...soccer, ball: { x: 90, y: 50, side: 1, action: 3 } }, isStale: false }, 0)
    expect(query('.ball')).toBe(ball)
    expect(query('.stage .flight')?.getAttribute('d')).toMatch(/^M358\.5 99\.8L\d/)
    page.show({ kind: 'shown', tracked: { ...soccer, ball: null }, isStale: false }, 0)
    expect(query('.stage .flight')?.getAttribute('d')).toBe('')
    expect(texts('.call')).toEqual(['2. poluvrijeme'])
  })

  it('has the last goals and red cards in its strip, the newest first', async () => {
    await shown(soccer)
    expect(texts('.recent li')).toEqual(["51'B. Mee 1:1", "49'Crveni kartonN. Wood", "40'C. Wood 1:0"])
  })

  it('counts in bars', () => {
    show(soccer)
    const bars = [...document.querySelectorAll('.panel.statistics .barlist > div')].map((bar) =>
      [...bar.children].map((child) => child.textContent),
    )
    expect(bars.slice(0, 4).map((bar) => bar.slice(0, 3))).toEqual([
      ['Posjed', '58\u00a0%', '42\u00a0%'],
      ['Udarci', '6', '3'],
      ['Opasni napadi', '41', '29'],
      ['Korneri', '5', '4'],
    ])
  })

  it('has no more than six bars, and none of nothing', () => {
    show({ ...soccer, match: { ...soccer.match, yellowCards: [1, 0], redCards: [0, 0] } })
    const bars = [...document.querySelectorAll('.panel.statistics .barlist > div')]
    expect(bars.map((bar) => bar.querySelector('dt')?.textContent).slice(3)).toEqual([
      'Korneri',
      'Žuti kartoni',
      'Crveni kartoni',
    ])
    expect(bars.map((bar) => bar.querySelectorAll('rect').length)).toEqual([2, 2, 2, 2, 2, 0])
  })

  it('tells what happened, the newest first', async () => {
    await shown(soccer)
    expect(texts('.story .at')).toEqual(["51'", "49'", "45+2'", "40'", "9'"])
    expect(texts('.story .what')).toEqual(['B. Mee (autogol)', 'N. Wood', 'Žuti karton', 'C. Wood', 'Korner'])
    expect(texts('.story .mark')).toEqual(['1:1', 'Dinamo Zagreb', 'Hajduk Split', '1:0', 'Dinamo Zagreb'])
  })

  it('sends the title of its first tab once', () => {
    const page = show(soccer)
    page.show({ kind: 'shown', tracked: { ...soccer }, isStale: false }, 0)
    expect(titles.mock.calls).toEqual([['Teren']])
  })
})

describe('other sports', () => {
  it.each([
    ['rugby', 12, 'part', 'Poeni, Hajduk Split'],
    ['handball', 6, 'goal', 'Gol, Hajduk Split'],
  ])('%s names its own score', async (_, sportId, mark, what) => {
    const scored = { kind: 'goal', side: 2, seconds: 1800, status: 'first_half', score: [12, 8], player: null } as const
    await shown(aTracked({ sportId }, { history: { incidents: [scored], pressure: [], counts: [] } }))
    expect(texts('.story .what')).toEqual([what])
    expect(query('.story li')?.className).toBe(mark)
  })

  it('have the score with the points of the game, and each set', async () => {
    await shown(
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
    expect(texts('.middle em')).toEqual(['40 : AD'])
    expect(texts('.team .name')).toEqual(['Dinamo Zagreb\u00a0', 'servira, \u00a0Hajduk Split'])
    expect(texts('.turn:not([hidden])')).toEqual(['servira, \u00a0'])
    expect(texts('.panel.field tbody td')).toEqual(['40', '6', '2', '', '1', 'AD', '4', '3', '', '0'])
    expect(texts('.story .what')).toEqual(['1. set: Dinamo Zagreb'])
  })

  it('have a column for each part that their rules fix, until the end', async () => {
    const match = {
      sportId: 16,
      status: 'quarter_2',
      score: [17, 7],
      scores: [
        [7, 7],
        [10, 0],
      ],
    } as const
    await shown(aTracked(match))
    expect(texts('.panel.field thead th > :first-child')).toEqual(['1', '2', '3', '4'])
    expect(texts('.panel.field tbody tr:first-child td')).toEqual(['7', '10', '', '', '17'])
    await shown(aTracked({ ...match, status: 'ended' }))
    expect(texts('.panel.field tbody tr:first-child td').slice(5)).toEqual(['7', '10', '17'])
  })

  it('show a yellow card of rugby by its time, and the others by their number', async () => {
    const history = { incidents: [], pressure: [], counts: [], extras: { short: [2, 372] } }
    const match = { sportId: 12, status: 'second_half', score: [0, 0], yellowCards: [0, 1] } as const
    await shown(aTracked(match, { history }))
    expect(texts('.team.away small')).toEqual(['Žuti karton: 6:12'])
    await shown(aTracked({ ...match, yellowCards: [0, 2] }, { history }))
    expect(texts('.team.away small').at(-1)).toBe('Žuti kartoni: 2Žuti karton: 6:12')
  })

  it.each<[string, Partial<TrackedMatch>, string]>([
    ['a rally sport', { sportId: 23, scores: [[7, 9]] }, '7 : 9'],
    ['darts', { sportId: 22, game: ['140', '501'] }, '140 : 501'],
    ['snooker', { sportId: 19, scores: [[17, 0]], game: ['17', '0'] }, '17 : 0'],
    ['basketball', { sportId: 2, scores: [[20, 18]] }, '10:00'],
    ['a match that has ended', { sportId: 22, game: ['0', '12'], status: 'ended' }, ''],
  ])('%s has its points or its clock in the head', async (_, match, points) => {
    await shown(aTracked(match))
    expect(texts('.middle em')).toEqual([points])
  })

  it.each<[string, number[], string, string[]]>([
    ['one side short', [2, 84], 'period_2', ['5 na 4', '1 kažnjen']],
    ['both sides short', [2, 84, 1, 20, 1, 90], 'period_2', ['2 kažnjena', '1 kažnjen4 na 3']],
    ['as many players', [2, 84, 1, 20], 'period_2', ['1 kažnjen 0:20', '1 kažnjen 1:24']],
    ['a penalty without its end', [1, -1], 'period_1', ['1 kažnjen', '5 na 4']],
    ['overtime', [2, 84], 'overtime', ['', '1 kažnjen']],
  ])('ice hockey with %s has it below the names', async (_, short, status, expected) => {
    await shown(aTracked({ sportId: 4, status }, { history: { ...NO_HISTORY, extras: { short } } }))
    expect(texts('.team small')).toEqual(expected)
  })

  it('rugby has all cards in one bar', async () => {
    const page = await shown(
      aTracked({ sportId: 12, status: 'first_half', yellowCards: [1, 2], redCards: [0, 1], corners: null }),
    )
    page.turn('statistics')
    expect(texts('.statistics dl > div')).toEqual(['Kartoni13'])
  })

  it('cricket has a target and overs', async () => {
    await shown(
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
    expect(texts('.wing')).toEqual(['Treba', '115', 'Cilj', '157'])
    expect(texts('.middle .when')).toEqual(['5.0 overa2. inning'])
    expect(texts('.panel.field tbody td')).toEqual(['2', '5.0', '42', '6', '', '156'])
  })

  it.each([1, 2, 3, 4, 5, 6, 12, 16, 19, 20, 21, 22, 23, 29, 31, 34, 37, 117])(
    'sport %i with no more than its score has a pale ground and its table',
    async (sportId) => {
      for (const width of [355, 530] as const) {
        document.body.replaceChildren()
        await shown(aTracked({ sportId, score: [1, 2], scores: [[1, 2]], clock: null, status: 'second_half' }), width)
        expect(query('.stage')?.classList.contains('bare')).toBe(sportId !== 3)
        expect(query('.strip')?.hasAttribute('hidden')).toBe(true)
        expect(texts('.panel.field tbody th')).toEqual(['Dinamo Zagreb', 'Hajduk Split'])
        expect(query('.stage [id$=-surround]')).toBe(null)
      }
    },
  )

  it('the clock of basketball counts down while the end of the period is known', async () => {
    const match = {
      sportId: 2,
      score: [63, 62],
      status: 'quarter_4',
      clock: { kind: 'stopped', seconds: 2208 },
    } as const
    const page = await shown(aTracked(match, { history: { ...NO_HISTORY, extras: { periodEnd: [2400] } } }))
    expect(texts('.middle em')).toEqual(['3:12'])
    page.show({ kind: 'shown', tracked: aTracked(match), isStale: false }, 0)
    expect(texts('.middle em')).toEqual(['36:48'])
  })

  it('a sport without a drawing has its score alone', async () => {
    show(aTracked({ sportId: 999, score: [2, 1] }))
    await vi.waitFor(() => expect(texts('.figure')).toEqual(['2 : 1']))
    expect(query('.stage')).toBe(null)
    expect(texts('.tabs button')[0]).toBe('Rezultat')
    expect(texts('.panel.field td.sum')).toEqual(['2', '1'])
  })

  it('of many parts the newest are shown', () => {
    show(aTracked({ sportId: 19, scores: Array.from({ length: 19 }, () => [60, 40] as const) }), 355)
    expect(texts('.panel.field thead th [aria-hidden]')).toEqual(['11', '12', '13', '14', '15', '16', '17', '18', '19'])
  })

  it('of many innings the first are added up, so that the columns give the total', () => {
    const scores = Array.from({ length: 11 }, (_, index) => [index === 1 ? 1 : 0, index % 10 === 0 ? 1 : 0] as const)
    show(aTracked({ sportId: 3, score: [1, 2], scores, status: 'inning_11', playerServing: 1 }), 355)
    expect(texts('.panel.field thead th')[0]).toBe('1–3')
    expect(texts('.panel.field thead th [aria-hidden]')).toEqual(['4', '5', '6', '7', '8', '9', '10', '11'])
    const cells = texts('.panel.field tbody td')
    expect(cells.slice(0, 10)).toEqual(['1', '0', '0', '0', '0', '0', '0', '0', '0', '1'])
    expect(cells.slice(10)).toEqual(['1', '0', '0', '0', '0', '0', '0', '0', '1', '2'])
  })
})

it('texts of the feed are texts, whatever is in them', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'</script>'
  await shown(
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
  await shown(aTracked({ sportId: 5, home: hostile, away: hostile, status: hostile, game: [hostile, hostile] }))
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

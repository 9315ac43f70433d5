/** Tennis: the service court that the points fix, the points of the game, and the games in their order. */
import type { Pair, Side } from '../../domain/offer'
import { ADVANTAGE, GAME_POINTS, gamePoints, isBreakPoint } from '../../domain/points'
import { asSide, parts } from '../../protocol/extras'
import type { Width } from '../address'
import { axis, bar as column, cut, margin, tick } from '../charts'
import { svg } from '../dom'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import type { Seen } from '../sample'
import { of, runs, sheetOf } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { type Canvas, type Spot, service, short } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Texts } from '../texts'
import { setsOf } from './rallies'
import { servesText } from './serving'

export function makeFamily(): Family {
  return { ground: () => import('../grounds/tennis.svg?raw'), scene: sceneOf }
}

function sceneOf(input: Input): Scene {
  const { tracked, names, texts } = input
  const { match } = tracked
  const { game } = match
  const isOn = isPlayed(tracked)
  const server: Side | null =
    isOn && (match.playerServing === 1 || match.playerServing === 2) ? match.playerServing : null
  const isTiebreak = match.tiebreak === true
  const isBreak = server && game && !isTiebreak ? isBreakPoint(game, server) : false
  const receiver: Side = server === 1 ? 2 : 1
  const sets = barsOf(input)
  return {
    call: isBreak
      ? { side: receiver, text: texts.t('trackerBreakPoint'), name: of(names, receiver) }
      : server && { side: server, text: servesText(texts, names, server) },
    recent: isOn ? chipsOf(input) : [],
    marks:
      server &&
      marksOf(
        server,
        game,
        isTiebreak,
        names.some((name) => name.includes('/')),
      ),
    lamp: null,
    flow: sets.some(({ games }) => games.length > 0) ? flowOf(input, sets) : null,
    statistics: statisticsOf(input, sets),
  }
}

/** Whether the next service is from the right: after an even number of points. Null if the points are unknown. */
export function isFromRight(game: Pair<string> | null, isTiebreak: boolean): boolean | null {
  const counts = game?.map((text) => gamePoints(text, isTiebreak))
  const [home = -1, away = -1] = counts ?? []
  return home < 0 || away < 0 ? null : (home + away) % 2 === 0
}

function marksOf(server: Side, game: Pair<string> | null, isTiebreak: boolean, isDoubles: boolean): Drawing<Canvas> {
  const isRight = isFromRight(game, isTiebreak)
  // Without advantage the receivers choose their court at 40:40, and the score does not say if it is played so.
  const isChosen = isDoubles && !isTiebreak && game?.[0] === '40' && game[1] === '40'
  const hasCourt = isRight !== null && !isChosen
  return {
    key: `${server} ${isRight} ${isChosen}`,
    draw: (c) => {
      // The right of the home server is below the middle of the drawing; the court across is above it.
      const isLower = (server === 1) === (isRight ?? true)
      const turned = ([u, v]: Spot): Spot => (server === 1 ? [u, v] : [2377 - u, v])
      const from = turned([-90, hasCourt ? (isLower ? 697 : 400) : 548.5])
      const to = turned([hasCourt ? 1700 : 400, hasCourt ? (isLower ? 337 : 760) : 548.5])
      const box = [server === 1 ? 1188.5 : 548.5, isLower ? 137 : 548.5, 640, 411.5] as const
      return service(c, server, from, to, hasCourt ? { boxes: [box], curve: -16 } : {})
    },
  }
}

/** The points of this game: those that this page has seen, or those of the server if it has more. */
function chipsOf({ tracked, extras }: Input): Chip[] {
  const { game, tiebreak } = tracked.match
  const seen = pointsOf(tracked.seen)
  const points = game?.map((text) => gamePoints(text, tiebreak === true)) ?? []
  const [home = -1, away = -1] = points
  // After an advantage the score no longer says how many points the game has.
  const isOpen = tiebreak === true || Math.min(home, away) < ADVANTAGE - 1
  if (home < 0 || away < 0 || !isOpen || seen.length >= home + away) {
    return seen
  }
  const winners = (extras.rallies ?? []).slice(-(home + away)).map(asSide)
  if (winners.filter((side) => side === 1).length !== home || winners.filter((side) => side === 2).length !== away) {
    return seen
  }
  const score: [number, number] = [0, 0]
  const chips = winners.flatMap((side): Chip[] => {
    if (side === 0) {
      return []
    }
    score[side - 1] = (score[side - 1] ?? 0) + 1
    return [{ side, text: score.map((value) => (tiebreak ? value : (GAME_POINTS[value] ?? value))).join(':') }]
  })
  return chips.reverse().slice(0, 6)
}

/** The score after each point of this game that was seen, the newest first. */
function pointsOf(seen: Seen): Chip[] {
  const chips: Chip[] = []
  let last: Pair | null = null
  let games = ''
  for (const { game, scores, isTiebreak } of seen) {
    const points: Pair | null = game && [gamePoints(game[0], isTiebreak), gamePoints(game[1], isTiebreak)]
    if (String(scores) !== games || !points) {
      chips.length = 0
      games = String(scores)
    } else if (last && game) {
      const [up, down] = [points[0] - last[0], points[1] - last[1]]
      if (up === 0 && down === 0) {
        continue
      }
      // After an advantage that was lost, one side goes back to 40: the other one has won the point.
      const isBack = !isTiebreak && Math.max(...last) === ADVANTAGE && Math.max(...points) < ADVANTAGE
      if (isBack) {
        chips.push({ text: game.join(':'), side: up < 0 ? 2 : 1 })
      } else if (up + down === 1) {
        chips.push({ text: game.join(':'), side: up === 1 ? 1 : 2 })
      } else {
        chips.length = 0
      }
    }
    last = points
  }
  return chips.reverse().slice(0, 6)
}

interface GameBar {
  readonly winner: Side
  /** The points of the loser, 0 to 3, or 4 for a tie-break; null if they are unknown. */
  readonly less: number | null
  readonly isBreak: boolean
}

interface SetBars {
  readonly missed: number
  readonly games: readonly GameBar[]
  /** Whether the server has sent it. */
  readonly isSent: boolean
}

const TIEBREAK = 4

/** A game as the server sends it. */
function readGame(number: number): GameBar | null {
  const [winner, less] = [asSide(number % 10), Math.floor(number / 10) % 10]
  return winner === 0 ? null : { winner, less, isBreak: number >= 100 }
}

function barsOf({ tracked, extras }: Input): SetBars[] {
  return setsOf(extras.games, tracked.match.scores, readGame).map((set, index) => {
    if (set) {
      return { missed: set.missed, games: set.won, isSent: true }
    }
    const { missed, points } = sheetOf(tracked.seen, index)
    const games = points.map(({ winner, server }) => ({
      winner,
      less: null,
      isBreak: server !== null && server !== winner,
    }))
    return { missed, games, isSent: false }
  })
}

function flowOf({ texts, names }: Input, sets: readonly SetBars[]): Flow {
  const games = sets.flatMap((set) => set.games)
  const won = (side: Side) => games.filter(({ winner }) => winner === side).length
  const breaks = (side: Side) => games.filter(({ winner, isBreak }) => winner === side && isBreak).length
  const part = (side: Side) =>
    texts.t('trackerGamesAndBreaks', { name: of(names, side), games: won(side), breaks: breaks(side) })
  return {
    caption: texts.t('trackerGames'),
    summary: `${part(1)}; ${part(2)}.`,
    key: JSON.stringify(sets),
    draw: (width) => gamesChart(width, sets, (index) => texts.status(`set_${index + 1}`)),
  }
}

const GAP = 16

function gamesChart(width: Width, sets: readonly SetBars[], nameOfSet: (index: number) => string): SVGElement[] {
  const columns = sets.reduce((sum, { missed, games }) => sum + missed + games.length, 0)
  const step = Math.min(24, (width - 2 * margin(width) - GAP * (sets.length - 1)) / (columns + 3))
  const middle = 37
  let x = margin(width)
  return [
    axis(width, middle),
    ...sets.flatMap(({ missed, games }, index) => {
      const start = x
      x += missed * step
      const bars = games.flatMap(({ winner, less, isBreak }) => {
        const height = less === null ? 20 : 25 - Math.min(3, less) * 5
        const rect = [x, winner === 1 ? middle - height : middle + 0.5, Math.max(1, step - 3), height] as const
        const ring = svg('circle', {
          class: `break ${nameOf(winner)}-line`,
          cx: short(x + (step - 3) / 2),
          cy: winner === 1 ? middle - height - 6 : middle + height + 6,
          r: 3,
        })
        x += step
        return [column(winner, rect, index === sets.length - 1), ...(isBreak ? [ring] : [])]
      })
      // A set needs the width of its name, even if it has just begun.
      x = Math.max(x, start + 34) + GAP
      return [
        ...(index > 0 ? [cut(start - GAP / 2 - 1.5)] : []),
        ...bars,
        tick(start, nameOfSet(index), 'start', CHART_HEIGHT - 2),
      ]
    }),
  ]
}

function statisticsOf({ tracked, texts, extras }: Input, sets: readonly SetBars[]): Bar[] {
  const { t } = texts
  const { scores } = tracked.match
  const sum = scores.reduce<Pair>(([home, away], [up, down]) => [home + up, away + down], [0, 0])
  const isWhole = sets.length > 0 && sets.every(({ missed, isSent }) => isSent && missed === 0)
  const games = isWhole ? sets.flatMap((set) => set.games) : []
  const rallies = isWhole ? ralliesOf(extras.rallies, sets) : null
  const won = sum[0] + sum[1] > 0 ? [bar(t('trackerGamesWon'), sum)] : []
  return [
    ...(rallies ? [bar(t('trackerPointsWon'), [countOf(rallies, 1), countOf(rallies, 2)])] : won),
    ...(games.length > 0 ? servicesOf(games, texts) : []),
    ...(rallies ? [bar(t('trackerLongestPoints'), runs(rallies))] : []),
  ]
}

function countOf(winners: readonly Side[], side: Side): number {
  return winners.filter((winner) => winner === side).length
}

/** The breaks, and the service games that each side has won. */
function servicesOf(games: readonly GameBar[], { t }: Texts): Bar[] {
  const counted = games.filter(({ less }) => less !== TIEBREAK)
  const count = (side: Side, isBreak: boolean) =>
    counted.filter((game) => game.winner === side && game.isBreak === isBreak).length
  const breaks: Pair = [count(1, true), count(2, true)]
  const kept: Pair = [count(1, false), count(2, false)]
  const served: Pair = [kept[0] + breaks[1], kept[1] + breaks[0]]
  const share = (side: 0 | 1) => (served[side] > 0 ? kept[side] / served[side] : 0)
  return [
    bar(t('trackerBreaks'), breaks),
    bar(t('trackerServiceGames'), [share(0), share(1)], [`${kept[0]}/${served[0]}`, `${kept[1]}/${served[1]}`]),
  ]
}

/** The fewest points of a game. A game to deuce has five for its winner, a tie-break seven. */
function leastPoints(less: number): number {
  return less === TIEBREAK ? 7 : 4 + less + (less === 3 ? 1 : 0)
}

/** The winners of all points; null if those of a game are missing. */
function ralliesOf(numbers: readonly number[] | undefined, sets: readonly SetBars[]): Side[] | null {
  const points = numbers ? parts(numbers) : []
  // Between two sets there may be no group for the next one yet.
  const played = sets.filter(({ games }, index) => index < points.length || games.length > 0)
  const least = (games: readonly GameBar[]) => games.reduce((sum, { less }) => sum + leastPoints(less ?? 0), 0)
  const isWhole =
    points.length === played.length && played.every(({ games }, at) => (points[at]?.length ?? 0) >= least(games))
  return isWhole ? points.flat().flatMap((number) => asSide(number) || []) : null
}

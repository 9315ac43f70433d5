/** The events of a match as lines of text, newest first. Pure functions. */
import { clockText } from '../domain/clock'
import type { Pair } from '../domain/offer'
import type { TranslationKey } from '../i18n/keys'
import { boardKind, partStatus } from './boards'
import { type Incident, type IncidentKind, isGoal } from './history'
import type { Texts } from './texts'
import type { Tracked } from './tracked'

export type Mark = 'goal' | 'missed' | 'yellow' | 'red' | 'corner' | 'part'

export interface Line {
  /** The minute; null if there is none. */
  readonly when: string | null
  readonly mark: Mark
  /** The meaning of the mark, for screen readers. */
  readonly kind: string
  /** 1 home, 2 away, 0 neither. */
  readonly side: 0 | 1 | 2
  /** The player, or the kind of event if the player is unknown. */
  readonly text: string
  /** The score after the event, or the team. */
  readonly detail: string
}

const MARKS: Readonly<Record<IncidentKind, Mark>> = {
  goal: 'goal',
  ownGoal: 'goal',
  penalty: 'goal',
  penaltyMissed: 'missed',
  yellow: 'yellow',
  red: 'red',
  corner: 'corner',
  kickScored: 'goal',
  kickMissed: 'missed',
}

const NAMES: Readonly<Record<IncidentKind, TranslationKey>> = {
  goal: 'incidentGoal',
  ownGoal: 'incidentOwnGoal',
  penalty: 'incidentPenalty',
  penaltyMissed: 'incidentPenaltyMissed',
  yellow: 'incidentYellow',
  red: 'incidentRed',
  corner: 'incidentCorner',
  kickScored: 'incidentKickScored',
  kickMissed: 'incidentKickMissed',
}

/** The kinds that their marks do not tell from others. */
const TOLD: ReadonlySet<IncidentKind> = new Set(['ownGoal', 'penalty', 'penaltyMissed'])

const SOCCER = 1

export function lines(tracked: Tracked, texts: Texts): Line[] {
  const { match, history } = tracked
  const told = history.incidents.map((incident) => line(incident, tracked, texts))
  return [...parts(tracked, texts), ...(match.status === 'not_started' ? [] : told)].reverse()
}

function line(incident: Incident, { match }: Tracked, { t }: Texts): Line {
  // Where the score is not in goals, as in rugby, a change of it is points.
  const isPoints = incident.kind === 'goal' && boardKind(match.sportId).total !== 'scoreGoals'
  const kind = t(isPoints ? 'trackerPoints' : NAMES[incident.kind])
  const team = (incident.side === 1 ? match.home : match.away) ?? ''
  const who = incident.player && (TOLD.has(incident.kind) ? `${incident.player} (${kind})` : incident.player)
  return {
    when: when(incident, match.sportId),
    mark: isPoints ? 'part' : MARKS[incident.kind],
    kind,
    side: incident.side,
    text: who ?? (isGoal(incident.kind) ? `${kind}, ${team}` : kind),
    detail: incident.score ? scoreText(incident.score) : team,
  }
}

function when({ seconds, status }: Incident, sportId: number): string | null {
  return seconds === null ? null : clockText({ sportId, status, clock: { kind: 'stopped', seconds } }, 0)
}

/** For sports without incidents: the finished sets, frames or quarters with their scores. */
function parts({ match, history }: Tracked, texts: Texts): Line[] {
  const kind = boardKind(match.sportId)
  if (history.incidents.length > 0 || match.sportId === SOCCER || kind.part === 'innings') {
    return []
  }
  const running = match.status === 'ended' ? match.scores.length : match.scores.length - 1
  return match.scores.slice(0, Math.max(0, running)).map((score, index) => {
    const status = partStatus(kind, index)
    const name = status ? texts.status(status) : String(index + 1)
    const side = score[0] === score[1] ? 0 : score[0] > score[1] ? 1 : 2
    const winner = side === 0 ? '' : ((side === 1 ? match.home : match.away) ?? '')
    return {
      when: null,
      mark: 'part',
      kind: '',
      side,
      text: winner ? `${name}: ${winner}` : name,
      detail: scoreText(score),
    }
  })
}

function scoreText([home, away]: Pair): string {
  return `${home}:${away}`
}

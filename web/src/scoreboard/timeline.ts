/** What happened, as lines to read: the newest first. Pure. */
import { clockText } from '../domain/clock'
import type { Pair } from '../domain/offer'
import type { TranslationKey } from '../i18n/keys'
import { boardKind, partStatus } from './boards'
import { type Incident, type IncidentKind, isGoal } from './history'
import type { Texts } from './texts'
import type { Tracked } from './tracked'

export type Mark = 'goal' | 'missed' | 'yellow' | 'red' | 'corner' | 'part'

export interface Line {
  /** The minute; null where there is none. */
  readonly when: string | null
  readonly mark: Mark
  /** What the mark says, for whoever does not see it. */
  readonly kind: string
  /** 1 home, 2 away, 0 both. */
  readonly side: 0 | 1 | 2
  /** Who it was, else what it was. */
  readonly text: string
  /** The score after it, or the side. */
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

export function lines(tracked: Tracked, texts: Texts): Line[] {
  const { match, history } = tracked
  const told = history.incidents.map((incident) => line(incident, tracked, texts))
  return [...parts(tracked, texts), ...(match.status === 'not_started' ? [] : told)].reverse()
}

function line(incident: Incident, { match }: Tracked, { t }: Texts): Line {
  const kind = t(NAMES[incident.kind])
  const team = (incident.side === 1 ? match.home : match.away) ?? ''
  // Whoever scored for the other side is named with what he did.
  const who = incident.player && (incident.kind === 'goal' ? incident.player : `${incident.player} (${kind})`)
  return {
    when: when(incident, match.sportId),
    mark: MARKS[incident.kind],
    kind,
    side: incident.side,
    text: who ?? (isGoal(incident.kind) ? `${kind}, ${team}` : kind),
    detail: incident.score ? scoreText(incident.score) : team,
  }
}

function when({ seconds, status }: Incident, sportId: number): string | null {
  return seconds === null ? null : clockText({ sportId, status, clock: { kind: 'stopped', seconds } }, 0)
}

/** Sports told by their sets, frames or quarters: those that are over, with their score. */
function parts({ match, history }: Tracked, texts: Texts): Line[] {
  const kind = boardKind(match.sportId)
  if (history.incidents.length > 0 || kind.ground === 'pitch' || kind.ground === 'oval') {
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

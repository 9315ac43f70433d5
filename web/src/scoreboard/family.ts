/** What a family of sports draws of a match. */
import type { Pair, Side } from '../domain/offer'
import type { Extras } from '../protocol/extras'
import type { Width } from './address'
import type { Canvas } from './stage'
import type { Bar } from './statistics'
import type { Column } from './table'
import type { Texts } from './texts'
import type { Tracked } from './tracked'

export interface Input {
  readonly tracked: Tracked
  readonly extras: Extras
  readonly texts: Texts
  readonly names: Pair<string>
  readonly nowMs: number
  /** Seconds of the match clock; null without a clock in seconds. */
  readonly seconds: number | null
  readonly clock: string | null
}

/** A drawing, repeated only when its key changes. */
export interface Drawing<Surface> {
  readonly key: string
  readonly draw: (surface: Surface) => readonly SVGElement[]
}

/** An event of the strip. */
export interface Chip {
  readonly text: string
  /** What the narrow panel shows instead of a long text. */
  readonly short?: string
  readonly side: Side | 0
  /** The minute, before the text. */
  readonly when?: string
  readonly mark?: 'ball' | 'red'
  readonly tone?: 'max' | 'ton' | 'wicket'
  /** A ball of cricket, drawn round. */
  readonly isDelivery?: boolean
}

/** What happens now. The name is for screen readers, if only the colour of the dot says which side it is. */
export interface Call {
  readonly text: string
  readonly side: Side | 0
  readonly name?: string
}

export interface Flow extends Drawing<Width> {
  readonly caption: string
  /** One sentence for screen readers. */
  readonly summary: string
}

export interface Scene {
  readonly call: Call | null
  /** The newest first. */
  readonly recent: readonly Chip[]
  readonly marks: Drawing<Canvas> | null
  /** The light of the last score: it fades when it is null again. */
  readonly lamp: Drawing<Canvas> | null
  readonly flow: Flow | null
  /** A second chart, above the statistics of their tab. */
  readonly more?: Flow | null
  readonly statistics: readonly Bar[]
  /** The columns of the table, if they are others than those of every sport. The last one is the total. */
  readonly table?: readonly Column[] | null
}

export const EMPTY_SCENE: Scene = { call: null, recent: [], marks: null, lamp: null, flow: null, statistics: [] }

export interface Family {
  /** The text of the ground's SVG file. */
  readonly ground: () => Promise<{ readonly default: string }>
  /** Numbers that belong to the ground. */
  readonly labels?: (canvas: Canvas) => readonly SVGElement[]
  /** The room below the ground that its marks need, in px. */
  readonly foot?: number
  readonly scene: (input: Input) => Scene
}

/** Makes the drawing of one match: it may keep elements between two scenes. */
export type MakeFamily = (sportId: number) => Family

/** Statuses without play: the marks of the moment are not drawn. */
const IDLE = ['not_started', 'delayed', 'ended', 'abandoned', 'interrupted']

export function isPlayed({ match }: Tracked): boolean {
  return !IDLE.includes(match.status ?? '')
}

/** Whether there may be a chart: it stays after the end. */
export function isBegun({ match }: Tracked): boolean {
  return match.status !== 'not_started' && match.status !== 'delayed'
}

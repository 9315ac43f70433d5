/** The calls that protect a bettor: limits, exclusions and their history (CONTRACT 9). */
import type { Exclusion } from '../domain/exclusion'
import { instant, listOf, optional, record, textOrNumber } from '../protocol/read'
import { readExclusion } from '../protocol/readProtection'
import { json, readBody, request } from './request'

/** The groups of limits that are amounts, and the sliding windows of each. */
export const FLOWS = ['stake', 'loss', 'deposit'] as const
export const WINDOWS = ['day', 'week', 'month'] as const
/** The limits that are minutes. */
export const TIMERS = ['session', 'realityCheck'] as const

export type Flow = (typeof FLOWS)[number]
export type Window = (typeof WINDOWS)[number]
export type Timer = (typeof TIMERS)[number]
export type LimitName = `${Flow}.${Window}` | Timer

/** An amount (`100.00`) or whole minutes (`60`) as text; null without a limit. */
export type LimitValue = string | null

export interface Limit {
  readonly value: LimitValue
  /** A change that takes effect later; null without one. */
  readonly pending: { readonly value: LimitValue; readonly at: number } | null
  /** How much of its window is used; null if the server does not send it, and for minutes. */
  readonly used: string | null
}

export type Limits = Readonly<Record<LimitName, Limit>>
export type LimitChanges = Readonly<Partial<Record<LimitName, LimitValue>>>

export const LIMIT_NAMES: readonly LimitName[] = [
  ...FLOWS.flatMap((flow) => WINDOWS.map((window) => `${flow}.${window}` as const)),
  ...TIMERS,
]

export async function fetchLimits(signal: AbortSignal): Promise<Limits> {
  const answer = await request({ path: 'account/limits', accept: 'application/json', signal })
  return readBody(answer, json, readLimits)
}

/** Changes the given limits and leaves the others. Returns all of them. */
export async function saveLimits(changes: LimitChanges, lang: string): Promise<Limits> {
  const answer = await request({
    path: 'account/limits',
    query: { lang },
    accept: 'application/json',
    method: 'PUT',
    body: JSON.stringify(bodyOf(changes)),
  })
  return readBody(answer, json, readLimits)
}

function readLimits(raw: unknown): Limits {
  const body = record(raw)
  const waiting = record(body['pending'])
  const used = optional(record)(body['used'])
  const limits = LIMIT_NAMES.map((name) => {
    const pending = optional(record)(memberOf(waiting, name))
    const limit: Limit = {
      value: textOrNumber(memberOf(body, name)),
      pending: pending && { value: textOrNumber(pending['value']), at: instant(pending['at']) },
      used: used && readUsed(used, name),
    }
    return [name, limit] as const
  })
  return Object.fromEntries(limits) as Limits
}

function readUsed(used: Readonly<Record<string, unknown>>, name: LimitName): string | null {
  const [group = '', window = ''] = name.split('.')
  return textOrNumber(optional(record)(used[group])?.[window])
}

function memberOf(body: Readonly<Record<string, unknown>>, name: LimitName): unknown {
  const [group = '', window] = name.split('.')
  return window === undefined ? body[group] : record(body[group])[window]
}

function bodyOf(changes: LimitChanges): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(changes)) {
    const [group = '', window] = name.split('.')
    if (window === undefined) {
      body[group] = value === null ? null : Number(value)
    } else {
      body[group] = { ...(body[group] as object | undefined), [window]: value }
    }
  }
  return body
}

/** A length of an exclusion; null months are without an end. */
export type ExclusionLength = { readonly hours: number } | { readonly months: number | null }

/** Starts a time-out (hours) or a self-exclusion (months). Returns the exclusion in force. */
export async function startExclusion(
  length: ExclusionLength,
  password: string,
  lang: string,
): Promise<Exclusion | null> {
  const answer = await request({
    path: 'hours' in length ? 'account/time-out' : 'account/self-exclusion',
    query: { lang },
    accept: 'application/json',
    method: 'POST',
    body: JSON.stringify({ ...length, password }),
  })
  return readBody(answer, json, (raw) => optional(readExclusion)(record(raw)['exclusion']))
}

export type ProtectionChange =
  | {
      readonly kind: 'limit'
      readonly at: number
      readonly limit: LimitName
      readonly from: LimitValue
      readonly to: LimitValue
      readonly effectiveAt: number
    }
  | { readonly kind: 'exclusion'; readonly at: number; readonly exclusion: Exclusion }
  /** A kind of a later version. */
  | { readonly kind: 'unknown'; readonly at: number }

export interface ProtectionHistory {
  readonly entries: readonly ProtectionChange[]
  /** The cursor of the next page, with older entries; null on the last page. */
  readonly next: string | null
}

/** One page of the changes of limits and exclusions, newest first. */
export async function fetchProtectionHistory(cursor: string | null, signal: AbortSignal): Promise<ProtectionHistory> {
  const answer = await request({
    path: 'account/history',
    query: cursor === null ? {} : { cursor },
    accept: 'application/json',
    signal,
  })
  return readBody(answer, json, (raw) => {
    const { entries, next } = record(raw)
    return { entries: listOf(readChange)(entries), next: textOrNumber(next) }
  })
}

function readChange(raw: unknown): ProtectionChange {
  const { at: rawAt, kind, details } = record(raw)
  const at = instant(rawAt)
  if (kind === 'exclusion') {
    return { kind, at, exclusion: readExclusion(details) }
  }
  const { limit, from, to, effectiveAt } = record(details)
  const name = LIMIT_NAMES.find((known) => known === limit)
  if (kind !== 'limit' || name === undefined) {
    return { kind: 'unknown', at }
  }
  return {
    kind,
    at,
    limit: name,
    from: textOrNumber(from),
    to: textOrNumber(to),
    effectiveAt: instant(effectiveAt),
  }
}

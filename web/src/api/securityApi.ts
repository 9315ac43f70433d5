/** The calls that protect an account: its password and its sessions (CONTRACT 9). */
import { bool, instant, listOf, record, text } from '../protocol/read'
import { json, readBody, request } from './request'

/** Changes the password and ends all other sessions. */
export async function changePassword(old: string, password: string, lang: string): Promise<void> {
  await request({
    path: 'account/password',
    query: { lang },
    accept: 'application/json',
    method: 'POST',
    body: JSON.stringify({ old, new: password }),
  })
}

export interface AccountSession {
  readonly id: string
  readonly lastSeenAt: number
  /** The `User-Agent` of its browser; may be empty. */
  readonly agent: string
  /** Whether it is this browser's. */
  readonly current: boolean
}

/** Where the account is logged in, the session that was used last first. */
export async function fetchSessions(signal: AbortSignal): Promise<readonly AccountSession[]> {
  const answer = await request({ path: 'account/sessions', accept: 'application/json', signal })
  return readBody(answer, json, (raw) => listOf(readSession)(record(raw)['sessions']))
}

export async function endSession(id: string): Promise<void> {
  await request({ path: `account/sessions/${encodeURIComponent(id)}`, accept: 'application/json', method: 'DELETE' })
}

function readSession(raw: unknown): AccountSession {
  const { id, lastSeenAt, agent, current } = record(raw)
  return { id: text(id), lastSeenAt: instant(lastSeenAt), agent: text(agent), current: bool(current) }
}

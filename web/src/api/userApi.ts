/**
 * Fetches the current user (CONTRACT 2, `live/user-status`). Separate from accountApi.ts, as the first load needs it.
 */
import { decimal, optional, record, text } from '../protocol/read'
import { ApiError, json, readBody, request } from './request'

export interface ToldUser {
  readonly name: string
  readonly balance: string
  readonly currency: string
  readonly receivable: string
  readonly cashier: string
  /** The whole answer. What protects the bettor is read from it later. */
  readonly status: unknown
}

/** The signed-in user; undefined for an anonymous one; null after any other answer. Rejects if there was no answer. */
export async function fetchUser(signal?: AbortSignal): Promise<ToldUser | null | undefined> {
  try {
    const answer = await request({ path: 'live/user-status', accept: 'application/json', ...(signal && { signal }) })
    return await readBody(answer, json, (raw) => {
      const { user, balance, currency, receivable, cashier } = record(raw)
      return {
        name: text(user),
        balance: text(balance),
        currency: text(currency),
        receivable: optional(decimal)(receivable) ?? '0.00',
        cashier: optional(text)(cashier) ?? 'none',
        status: raw,
      }
    })
  } catch (error) {
    // Any status except 401 means signed in; without an answer the user is unknown (CONTRACT 2).
    if (error instanceof ApiError && error.status !== 0) {
      return error.failure === 'unauthorised' ? undefined : null
    }
    throw error
  }
}

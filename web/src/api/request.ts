/**
 * Makes all HTTP calls and converts every failure to an {@link ApiError}; no other file interprets status 401. Plain
 * `fetch` is enough: the hub pushes all later changes, so there is nothing to cache.
 */

export const API_BASE = '/api/v1'

/** Default time limit of a call. */
const TIMEOUT_MS = 15_000

/** `network`: no answer; `malformed`: an unreadable answer; the others depend on the status of the answer. */
export type ApiFailure = 'network' | 'malformed' | 'unauthorised' | 'notFound' | 'refused' | 'tooMany' | 'server'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** The server's texts for the user (`modelState`). */
  readonly reasons: readonly string[]
  /** The JSON body of the answer; undefined if there was none. */
  readonly body: unknown

  constructor(
    failure: ApiFailure,
    status = 0,
    reasons: readonly string[] = [],
    { body, ...options }: ErrorOptions & { body?: unknown } = {},
  ) {
    super(`the call failed: ${failure} (${status})`, options)
    this.failure = failure
    this.status = status
    this.reasons = reasons
    this.body = body
  }
}

export interface Call {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly accept: 'application/json' | 'application/msgpack' | 'text/csv'
  readonly signal?: AbortSignal
  readonly method?: 'POST' | 'PUT' | 'DELETE'
  /** JSON text. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/**
 * Resolves with a 2xx answer. Rejects with an {@link ApiError}, or with the reason of the caller's signal if aborted.
 */
export async function request(call: Call): Promise<Response> {
  const { path, query = {}, accept, signal, method = 'GET', body, headers = {}, timeoutMs = TIMEOUT_MS } = call
  const search = new URLSearchParams(query).toString()
  const url = `${API_BASE}/${path}${search && `?${search}`}`
  const timeout = AbortSignal.timeout(timeoutMs)
  let answer: Response
  try {
    answer = await fetch(url, {
      method,
      ...(body !== undefined && { body }),
      headers: { accept, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new ApiError('network', 0, [], { cause })
  }
  if (!answer.ok) {
    // The answer of a proxy has no JSON body; its status is enough.
    const body: unknown = await answer.json().catch(() => undefined)
    throw new ApiError(failureOf(answer.status), answer.status, reasonsOf(body), { body })
  }
  return answer
}

/** Reads the body of an answer. Rejects as `malformed` if it cannot be read, and as `network` if it is incomplete. */
export async function readBody<Raw, T>(
  answer: Response,
  receive: (answer: Response) => Promise<Raw>,
  read: (raw: Raw) => T,
): Promise<T> {
  let raw: Raw
  try {
    raw = await receive(answer)
  } catch (cause) {
    throw new ApiError(cause instanceof SyntaxError ? 'malformed' : 'network', answer.status, [], { cause })
  }
  try {
    return read(raw)
  } catch (cause) {
    throw new ApiError('malformed', answer.status, [], { cause })
  }
}

/** The body of an answer as JSON, for {@link readBody}. */
export const json = (answer: Response) => answer.json() as Promise<unknown>

function failureOf(status: number): ApiFailure {
  switch (status) {
    case 401:
      return 'unauthorised'
    case 404:
      return 'notFound'
    case 429:
      return 'tooMany'
    default:
      return status >= 500 ? 'server' : 'refused'
  }
}

function reasonsOf(body: unknown): readonly string[] {
  const { error } = (body as { modelState?: { error?: unknown } } | null | undefined)?.modelState ?? {}
  return Array.isArray(error) ? error.filter((reason) => typeof reason === 'string') : []
}

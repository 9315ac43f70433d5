/**
 * Every call to the server goes through here, and every way in which one can fail ends here as an {@link ApiError}: 401
 * is judged in this place alone. Plain `fetch`: what the client gets by HTTP is pushed on by the hub at once, so there
 * is no cache to keep.
 */

export const API_BASE = '/api/v1'

/** No answer by then is none. */
const TIMEOUT_MS = 15_000

/** `network`: no answer; `malformed`: not what was asked for; the others by the status of the answer. */
export type ApiFailure = 'network' | 'malformed' | 'unauthorised' | 'notFound' | 'refused' | 'tooMany' | 'server'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure
  /** 0 where there was no answer. */
  readonly status: number
  /** What the server says to the user (`modelState`). */
  readonly reasons: readonly string[]

  constructor(failure: ApiFailure, status = 0, reasons: readonly string[] = [], options?: ErrorOptions) {
    super(`the call failed: ${failure} (${status})`, options)
    this.failure = failure
    this.status = status
    this.reasons = reasons
  }
}

export interface Call {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly accept: 'application/json' | 'application/msgpack'
  readonly signal?: AbortSignal
  readonly method?: 'POST'
  /** JSON. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** An answer of 2xx or an {@link ApiError}; a call given up by its signal rejects with the signal's reason. */
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
    throw new ApiError(failureOf(answer.status), answer.status, await reasonsOf(answer))
  }
  return answer
}

/** Reads the body of an answer; what cannot be read is `malformed`, or `network` where it broke off. */
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

async function reasonsOf(answer: Response): Promise<readonly string[]> {
  try {
    const body: unknown = await answer.json()
    const { error } = (body as { modelState?: { error?: unknown } }).modelState ?? {}
    return Array.isArray(error) ? error.filter((reason) => typeof reason === 'string') : []
  } catch {
    // An answer of something between the server and us: its status says enough.
    return []
  }
}

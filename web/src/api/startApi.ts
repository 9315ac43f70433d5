/** The calls of the first load: the texts, and the address of the hub (CONTRACT 2). */
import { API_BASE, json, readBody, request } from './request'

/** The texts of a language, by key. */
export async function fetchTranslations(language: string, signal?: AbortSignal): Promise<Record<string, string>> {
  const answer = await request({
    path: 'live/translations',
    query: { lang: language },
    accept: 'application/json',
    ...(signal && { signal }),
  })
  return readBody(answer, json, readTexts)
}

function readTexts(raw: unknown): Record<string, string> {
  const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw)
  if (!isObject || Object.values(raw).some((text) => typeof text !== 'string')) {
    throw new TypeError('not a flat object of texts')
  }
  return raw as Record<string, string>
}

/** The address of the hub. */
export function hubUrl(language: string, { protocol, host }: Pick<Location, 'protocol' | 'host'> = location): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${API_BASE}/live/hub?lang=${language}`
}

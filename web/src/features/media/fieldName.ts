/** Reads the message that our own scoreboard page posts to this page. The message is untrusted input. */
import type { MatchId } from '../../domain/offer'
import { record, text } from '../../protocol/read'

const TEXT_MAX = 60

/** The title of the scoreboard's first tab, such as *Teren*; null if the message is not one of this match. */
export function readFieldName(raw: unknown, matchId: MatchId): string | null {
  try {
    const message = record(raw)
    const isOfMatch = message['kind'] === 'kvota-tracker' && message['matchId'] === matchId
    return isOfMatch ? text(message['field']).slice(0, TEXT_MAX) : null
  } catch {
    return null
  }
}

/** Who serves, in words. */
import type { Pair, Side } from '../../domain/offer'
import { of } from '../seen'
import { shortNames } from '../sides'
import type { Texts } from '../texts'

export function servesText({ t }: Texts, names: Pair<string>, server: Side): string {
  const whole = of(names, server)
  return whole.includes('/')
    ? t('trackerServesPair', { name: whole })
    : t('trackerServesName', { name: of(shortNames(names), server) })
}

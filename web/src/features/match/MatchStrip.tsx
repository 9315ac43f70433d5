import { type FocusEvent, type UIEvent, useLayoutEffect, useRef, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { useInSteps } from '../../components/useInSteps'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { teamName } from '../../platform/offer/matchName'
import { selectMatch, selectNeighbours } from '../../platform/offer/offerSelectors'
import { useMatchLink } from '../../platform/view/useMatchLink'
import styles from './MatchStrip.module.css'

/** Tiles mounted on each side of the open match, more than most screens show; also the number added near an end. */
const AROUND = 15
const MORE = 15

/** Nearer than this to an end, more tiles are mounted; about three tiles. */
const NEAR_PX = 400

/**
 * The other matches of the sport, for switching without the list. Only the tiles around the open match are mounted;
 * scrolling or tabbing towards an end mounts more.
 */
export function MatchStrip({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const ids = useAppSelector((state) => selectNeighbours(state, matchId))
  // After the paint that shows the match.
  const hasTiles = useInSteps(0, 1, 1) === 1
  const [around, setAround] = useState({ before: AROUND, after: AROUND })
  const place = ids.indexOf(matchId)
  const first = Math.max(0, place - around.before)
  const end = place + around.after + 1
  const strip = useKeptScroll(around.before)
  const moreBefore = () => first > 0 && setAround({ ...around, before: around.before + MORE })
  const moreAfter = () => end < ids.length && setAround({ ...around, after: around.after + MORE })
  const scrolled = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollLeft, scrollWidth, clientWidth } = currentTarget
    if (scrollLeft < NEAR_PX) {
      moreBefore()
    } else if (scrollWidth - clientWidth - scrollLeft < NEAR_PX) {
      moreAfter()
    }
  }
  const focused = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    if (target === currentTarget.firstElementChild) {
      moreBefore()
    } else if (target === currentTarget.lastElementChild) {
      moreAfter()
    }
  }
  return (
    <nav className={styles.strip} aria-label={t('otherMatches')} ref={strip} onScroll={scrolled} onFocus={focused}>
      {hasTiles && ids.slice(first, end).map((id) => <Tile key={id} matchId={id} isCurrent={id === matchId} />)}
    </nav>
  )
}

/** Keeps the scroll position when tiles are mounted before the visible ones. */
function useKeptScroll(before: number) {
  const strip = useRef<HTMLElement>(null)
  const held = useRef<{ before: number; first: HTMLElement | null }>({ before, first: null })
  useLayoutEffect(() => {
    const first = strip.current?.firstElementChild as HTMLElement | null
    const wasFirst = held.current.first
    if (strip.current && first && wasFirst && before !== held.current.before) {
      strip.current.scrollLeft += wasFirst.offsetLeft - first.offsetLeft
    }
    held.current = { before, first }
  })
  return strip
}

function Tile({ matchId, isCurrent }: { matchId: MatchId; isCurrent: boolean }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  const link = useMatchLink(matchId)
  if (!match) {
    return null
  }
  return (
    <a
      className={styles.tile}
      aria-current={isCurrent || undefined}
      ref={isCurrent ? bringIntoView : undefined}
      {...link}
    >
      <span className={styles.team}>{teamName(match.home)}</span>
      <b className={styles.score}>{match.score?.[0] ?? '–'}</b>
      <span className={styles.team}>{teamName(match.away)}</span>
      <b className={styles.score}>{match.score?.[1] ?? '–'}</b>
    </a>
  )
}

/** Scrolls the strip sideways, without scrolling the page. */
function bringIntoView(tile: HTMLElement | null) {
  const strip = tile?.parentElement
  if (tile && strip) {
    strip.scrollLeft = tile.offsetLeft - (strip.clientWidth - tile.offsetWidth) / 2
  }
}

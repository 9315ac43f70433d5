import { memo } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { GridCell, GridRow } from '../../components/Grid'
import { Icon } from '../../components/Icon'
import type { Match, MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { useClockText } from '../../platform/clock/useClockText'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import styles from './HiddenRow.module.css'
import { useToggleHidden } from './useToggleHidden'

export interface HiddenRowProps {
  matchId: MatchId
  top: number
  rowIndex: number
  /** Whether its button is in the tab order. */
  isTabStop: boolean
}

/** What is left of a hidden match: it keeps its place. Memoised as rows are. */
export const HiddenRow = memo(function HiddenRow({ matchId, ...place }: HiddenRowProps) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return match ? <Strip match={match} {...place} /> : null
})

function Strip({ match, top, rowIndex, isTabStop }: Omit<HiddenRowProps, 'matchId'> & { match: Match }) {
  const { t } = useTranslation()
  const toggleHidden = useToggleHidden()
  const clock = useClockText(match)
  const name = matchName(match)
  return (
    <GridRow rowIndex={rowIndex} className={styles.row} style={{ top }} data-row="hidden" data-match-id={match.id}>
      <GridCell className={styles.what}>
        <Icon name="eyeOff" size="s" />
        <span className={styles.name}>{name}</span>
        <span className={styles.score}>{[clock, match.score?.join(':')].filter(Boolean).join(' ')}</span>
        <span className={styles.word}>{t('hidden')}</span>
      </GridCell>
      <GridCell>
        <Button
          look="text"
          className={styles.show}
          data-cell="hide"
          tabIndex={isTabStop ? 0 : -1}
          aria-label={t('showMatch', { match: name })}
          onClick={() => toggleHidden(match.id)}
        >
          {t('show')}
        </Button>
      </GridCell>
    </GridRow>
  )
}

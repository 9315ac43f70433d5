import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Menu } from '../../components/Menu'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { matchOpened } from '../../platform/view/viewSlice'
import { focusMatch, useToggleHidden } from './useToggleHidden'

export interface RowMenuProps {
  matchId: MatchId
  x: number
  y: number
  onClose: () => void
}

/** What can be done with a match where its row has no room for a button. */
export function RowMenu({ matchId, x, y, onClose }: RowMenuProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const match = useAppSelector((state) => selectMatch(state, matchId))
  const toggleHidden = useToggleHidden()
  if (!match) {
    return null
  }
  return (
    <Menu
      label={matchName(match)}
      x={x}
      y={y}
      items={[
        {
          text: t('openMatch'),
          icon: 'list',
          onChoose: () => {
            onClose()
            dispatch(matchOpened(matchId))
          },
        },
        {
          text: t('hide'),
          icon: 'eyeOff',
          onChoose: () => {
            onClose()
            toggleHidden(matchId)
          },
        },
      ]}
      onLeave={onClose}
      onEscape={() => {
        onClose()
        focusMatch(matchId, 'match')
      }}
    />
  )
}

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectTagCounts } from '../../platform/offer/offerSelectors'
import { selectTag } from '../../platform/view/viewSelectors'
import { tagSelected } from '../../platform/view/viewSlice'
import styles from './MarketBar.module.css'
import { TagFilter } from './TagFilter'

export interface MarketBarProps {
  matchId: MatchId
  bell?: ReactNode
  /** The search text; null while the tags are shown instead. */
  query: string | null
  onQuery: (query: string | null) => void
}

/**
 * The bar above the markets, which stays in view: the tags, or the search field in their place. Where no market has a
 * tag (a provider's feed has none), the button of the search has the width and the look of the field.
 */
export function MarketBar({ matchId, bell, query, onQuery }: MarketBarProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const hasTags = useAppSelector((state) => selectTag(state) !== null || selectTagCounts(state, matchId).length > 0)
  const opener = useRef<HTMLButtonElement>(null)
  const [hasClosed, setHasClosed] = useState(false)
  useEffect(() => {
    if (hasClosed) {
      opener.current?.focus()
      setHasClosed(false)
    }
  }, [hasClosed])
  const close = () => {
    onQuery(null)
    setHasClosed(true)
  }
  const open = () => {
    // The search covers all markets.
    dispatch(tagSelected(null))
    onQuery('')
  }
  if (query === null && hasTags) {
    return (
      <div className={styles.bar}>
        <IconButton ref={opener} label={t('marketSearch')} icon="search" iconSize="s" onClick={open} />
        {bell}
        <TagFilter matchId={matchId} />
      </div>
    )
  }
  if (query === null) {
    return (
      <div className={styles.bar}>
        {bell}
        <button ref={opener} type="button" className={cx(styles.field, styles.opener)} onClick={open}>
          <Icon name="search" size="s" className={styles.glass} />
          <span>{t('marketSearch')}</span>
        </button>
      </div>
    )
  }
  return (
    <search className={styles.bar}>
      <div className={styles.field}>
        <Icon name="search" size="s" className={styles.glass} />
        <input
          ref={focusAtOnce}
          className={styles.input}
          type="text"
          aria-label={t('marketSearch')}
          placeholder={t('marketSearch')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={80}
          value={query}
          onChange={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        />
        <IconButton label={t('close')} icon="close" iconSize="s" onClick={close} />
      </div>
    </search>
  )
}

/** The field replaces the pressed button, so it takes the focus. */
function focusAtOnce(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true })
}

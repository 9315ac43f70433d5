import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { afterPaint } from '../../components/answerFirst'
import { RadioChips } from '../../components/RadioChips'
import type { MatchId } from '../../domain/offer'
import { tagText } from '../../domain/tags'
import { useTranslation } from '../../i18n/useTranslation'
import { selectMatch, selectTagCounts } from '../../platform/offer/offerSelectors'
import { selectTag } from '../../platform/view/viewSelectors'
import { tagSelected } from '../../platform/view/viewSlice'
import styles from './TagFilter.module.css'

/** The choice of a tag that filters the markets of a match; or all. */
export function TagFilter({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const tag = useAppSelector(selectTag)
  const tags = useAppSelector((state) => selectTagCounts(state, matchId))
  const total = useAppSelector((state) => selectMatch(state, matchId)?.numberOfOdds ?? 0)
  return (
    <RadioChips
      label={t('marketFilter')}
      className={styles.tags}
      chips={[
        { value: null, count: total, text: t('all'), title: t('oddCount', { count: total }) },
        ...tags.map((each) => ({
          value: each.tag,
          count: each.count,
          text: tagText(each.tag),
          title: t('oddCount', { count: each.count }),
        })),
      ]}
      value={tag}
      onChange={(value) => afterPaint(() => dispatch(tagSelected(value)))}
    />
  )
}

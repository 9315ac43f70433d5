import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Chip } from '../../components/Chip'
import { placeByKey } from '../../components/listKeys'
import type { MatchId } from '../../domain/offer'
import { tagText } from '../../domain/tags'
import { selectMatch, selectTagCounts } from '../offer/offerSelectors'
import { selectTag } from '../view/viewSelectors'
import { tagSelected } from '../view/viewSlice'
import styles from './TagFilter.module.css'

/** The markets of a match by tag: one of them, or all. */
export function TagFilter({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const group = useRef<HTMLDivElement>(null)
  const tag = useAppSelector(selectTag)
  const tags = useAppSelector((state) => selectTagCounts(state, matchId))
  const total = useAppSelector((state) => selectMatch(state, matchId)?.layout?.length ?? 0)
  const choices = [
    { tag: null, count: total, text: t('all') },
    ...tags.map((each) => ({ ...each, text: tagText(each.tag) })),
  ]
  const chosen = Math.max(
    choices.findIndex((choice) => choice.tag === tag),
    0,
  )

  const chooseByKey = (event: KeyboardEvent) => {
    const place = placeByKey(event.key, chosen, choices.length)
    const choice = place === null ? undefined : choices[place]
    if (place !== null && choice) {
      event.preventDefault()
      dispatch(tagSelected(choice.tag))
      group.current?.querySelectorAll('button')[place]?.focus()
    }
  }

  return (
    <div ref={group} className={styles.tags} role="radiogroup" aria-label={t('marketFilter')} onKeyDown={chooseByKey}>
      {choices.map((choice, place) => (
        <Chip
          key={choice.tag ?? ''}
          text={choice.text}
          count={choice.count}
          role="radio"
          aria-checked={place === chosen}
          tabIndex={place === chosen ? 0 : -1}
          onClick={() => dispatch(tagSelected(choice.tag))}
        />
      ))}
    </div>
  )
}

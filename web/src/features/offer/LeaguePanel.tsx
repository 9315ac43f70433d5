import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { sportClass } from '../../domain/sportClass'
import { type SportGroup, selectShownGroups, selectSport } from '../../platform/offer/offerSelectors'
import { LeagueList } from './LeagueList'
import styles from './LeaguePanel.module.css'

/** The leagues of the sports in the list. */
export function LeaguePanel({ onGo }: { onGo: () => void }) {
  return useAppSelector(selectShownGroups).map((group) => <OfSport key={group.sportId} group={group} onGo={onGo} />)
}

function OfSport({ group, onGo }: { group: SportGroup; onGo: () => void }) {
  const name = useAppSelector((state) => selectSport(state, group.sportId)?.name) ?? ''
  const icon = sportClass(group.sportId)
  return (
    <section className={styles.sport} data-sport={icon}>
      <h2 className={styles.name}>
        <Icon name={icon} className={styles.icon} />
        <span>{name}</span>
      </h2>
      <LeagueList group={group} sport={name} onGo={onGo} />
    </section>
  )
}

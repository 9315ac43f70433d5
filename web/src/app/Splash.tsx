import { OfferShapes } from '../features/offer/OfferSkeleton'
import { Logo } from './Logo'
import styles from './Splash.module.css'

/** The first screen. It has no text, because no translations are loaded yet. */
export function Splash() {
  return (
    <div aria-busy="true">
      <div className={styles.header}>
        <Logo />
        kvota
      </div>
      <div className={styles.content}>
        <OfferShapes />
      </div>
    </div>
  )
}

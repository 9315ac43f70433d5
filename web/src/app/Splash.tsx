import { OfferShapes } from '../features/offer/OfferSkeleton'
import { Logo } from './Logo'
import styles from './Splash.module.css'

/** The first moment: no texts yet, so no words. */
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

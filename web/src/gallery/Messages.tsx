import { AppFooter } from '../app/AppFooter'
import { ErrorPage } from '../app/ErrorPage'
import { Splash } from '../app/Splash'
import { Alert, AlertAction } from '../components/Alert'
import { Banner } from '../components/Banner'
import { EmptyState } from '../components/EmptyState'
import { ConnectionBanner } from '../features/connection/ConnectionBanner'
import { FeedStatus } from '../features/connection/FeedStatus'
import { NoticeToasts } from '../features/notices/NoticeToasts'
import { OfferPage } from '../features/offer/OfferPage'
import { ShellNews } from '../features/shell/ShellLayer'
import { useTranslation } from '../i18n/useTranslation'
import { noticeShown } from '../platform/notices/noticesSlice'
import { anOffer } from '../testing/builders'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'

const LOOKS = ['warn', 'danger', 'info'] as const
const doNothing = () => undefined

const ENDED = noticeShown('noticeMatchEnded', { match: 'Rijeka – Osijek' })
const UNDONE = noticeShown('ticketCleared', {}, { key: 'undo', action: { type: 'gallery/undo' } })
const LOCKED = noticeShown('noticeOddLocked')
const SETTLED = noticeShown(
  'noticeBetWon',
  { number: 'K7Q-4M2X', amount: '29,23 €' },
  { key: 'myBets', action: { type: 'gallery/bets' } },
  true,
)
const NEWS = { '--bottombar-h': '0px', height: '6rem' } as React.CSSProperties
const TOASTS = { '--bottombar-h': '0px', height: '12rem' } as React.CSSProperties

/** Banners, toasts, empty states and errors. */
export function Messages() {
  const { t } = useTranslation()
  return (
    <section className={styles.section}>
      <h2>Messages</h2>
      {LOOKS.map((look) => (
        <Specimen key={look} of="Alert" is={look}>
          <Alert look={look}>{t('outcomeUnknownText')}</Alert>
        </Specimen>
      ))}
      <Specimen of="Alert" is="with an action">
        <Alert look="warn" action={<AlertAction onPress={doNothing}>{t('logIn')}</AlertAction>}>
          {t('outcomeNeedsLogin')}
        </Alert>
      </Specimen>
      <Specimen of="Banner" is="calm" isWide>
        <Banner label={t('connection')}>{t('noOfferText')}</Banner>
      </Specimen>
      <Specimen of="ConnectionBanner" is="lost" isWide query="state=lost">
        <ConnectionBanner />
      </Specimen>
      <Specimen of="ConnectionBanner" is="lost, without a network" isWide query="state=lost">
        <ConnectionBanner isOnline={false} />
      </Specimen>
      <Specimen of="ConnectionBanner" is="recovering" isWide query="state=recovering">
        <ConnectionBanner />
      </Specimen>
      <Specimen of="FeedStatus" is="live">
        <div className={styles.row}>
          <FeedStatus />
        </div>
      </Specimen>
      <Specimen of="FeedStatus" is="of before" offer={{ ...anOffer(), dateMs: Date.now() - 75_000 }}>
        <div className={styles.row}>
          <FeedStatus />
        </div>
      </Specimen>
      <Specimen of="NoticeToasts" is="one" isWide actions={[ENDED]} style={TOASTS}>
        <NoticeToasts />
      </Specimen>
      <Specimen of="NoticeToasts" is="three, one to undo" isWide actions={[ENDED, LOCKED, UNDONE]} style={TOASTS}>
        <NoticeToasts />
      </Specimen>
      <Specimen of="NoticeToasts" is="a settled bet" isWide actions={[SETTLED]} style={TOASTS}>
        <NoticeToasts />
      </Specimen>
      <Specimen of="ShellNews" is="a newer client" isWide style={NEWS}>
        <ShellNews />
      </Specimen>
      <Specimen of="OfferPage" is="feed inactive" query="state=inactive">
        <OfferPage isShown />
      </Specimen>
      <Specimen of="OfferPage" is="no offer" query="state=empty">
        <OfferPage isShown />
      </Specimen>
      <Specimen of="OfferPage" is="no favourites" query="page=favourites&nofav=1">
        <OfferPage isShown />
      </Specimen>
      <Specimen of="EmptyState" is="without a way out">
        <EmptyState title={t('betsEmpty')} text={t('betsEmptyText')} />
      </Specimen>
      <Specimen of="ErrorPage" is="failed" isPage>
        <ErrorPage />
      </Specimen>
      <Specimen of="Splash" is="no words yet" isWide isPage>
        <Splash />
      </Specimen>
      <Specimen of="AppFooter" is="normal" isWide>
        <AppFooter />
      </Specimen>
    </section>
  )
}

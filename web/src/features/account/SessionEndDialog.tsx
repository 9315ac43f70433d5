import { useEffect, useId, useRef } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Dialog } from '../../components/Dialog'
import { PressButton } from '../../components/Form'
import type { SessionEnd } from '../../domain/sessionEnd'
import { useTranslation } from '../../i18n/useTranslation'
import { sessionEndRead } from '../../platform/account/protectionSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectWaitingTicket } from '../../platform/ticket/keptTicketSlice'
import { selectPairCount } from '../../platform/ticket/ticketSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import styles from './RealityCheckDialog.module.css'
import { SessionSums, timeText } from './SessionSums'

/** Says that the login has ended by its limit, and what was won or lost in it. */
export function SessionEndDialog({ end: { sums } }: { end: SessionEnd }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const hasTicket = useAppSelector((state) => selectPairCount(state) > 0 || selectWaitingTicket(state) !== null)
  const id = useId()
  const text = useRef<HTMLParagraphElement>(null)
  // Not a button: a key that was meant for the page must not answer.
  useEffect(() => text.current?.focus(), [])
  const close = () => dispatch(sessionEndRead())
  return (
    <Dialog role="alertdialog" title={t('sessionEnded')} describedBy={id} onCancel={close}>
      <div id={id}>
        <p ref={text} className={styles.time} tabIndex={-1}>
          {t('sessionEndedText')}
        </p>
        {sums && (
          <SessionSums sums={sums}>
            <dt>{t('exclusionLength')}</dt>
            <dd>{timeText(language, sums)}</dd>
          </SessionSums>
        )}
        {hasTicket && <p>{t('sessionTicketKept')}</p>}
      </div>
      <div className={styles.actions}>
        <Button className={styles.action} onClick={close}>
          {t('close')}
        </Button>
        <PressButton
          look="primary"
          className={styles.action}
          onPress={() => {
            close()
            dispatch(pageOpened('login'))
          }}
        >
          {t('logInAgain')}
        </PressButton>
      </div>
    </Dialog>
  )
}

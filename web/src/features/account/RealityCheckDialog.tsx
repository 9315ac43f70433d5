import { useEffect, useId, useRef, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { Button } from '../../components/Button'
import { Dialog } from '../../components/Dialog'
import { ignoreHeldKey, once } from '../../components/deliberatePress'
import { Spinner } from '../../components/Spinner'
import type { RealityCheck } from '../../domain/realityCheck'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectPanel } from '../../platform/view/viewSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { leave } from './leave'
import styles from './RealityCheckDialog.module.css'
import { continued } from './realityState'
import { SessionSums, timeText } from './SessionSums'

export interface RealityCheckDialogProps {
  check: RealityCheck
  answer: 'none' | 'sending' | 'failed'
}

/** Reminds the bettor of the time and the money since the login. Only its buttons close it. */
export function RealityCheckDialog({ check, answer }: RealityCheckDialogProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  // The dialog of the limits may be open behind this one, and is back as soon as this one closes.
  const panel = useAppSelector(selectPanel)
  const [isOverLimits] = useState(panel === 'protection')
  const [leaving, setLeaving] = useState<RealityCheckDialogProps['answer']>('none')
  const id = useId()
  const time = useRef<HTMLParagraphElement>(null)
  // Not a button: a key that was meant for the page must not answer.
  useEffect(() => time.current?.focus(), [])
  const isBusy = answer === 'sending' || leaving === 'sending'
  const hasFailed = answer === 'failed' || leaving === 'failed'
  const goOn = () => {
    if (!isBusy) {
      setLeaving('none')
      dispatch(continued())
    }
  }
  const logOut = async () => {
    if (!isBusy) {
      setLeaving('sending')
      await dispatch(leave)
      // The dialog is gone after a logout.
      setLeaving('failed')
    }
  }
  return (
    <Dialog role="alertdialog" title={t('limit_realityCheck')} describedBy={id}>
      <div id={id}>
        <p ref={time} className={styles.time} tabIndex={-1}>
          {t('realityTime', { time: timeText(language, check) })}
        </p>
        <SessionSums sums={check} />
      </div>
      <div role="alert" className={styles.answer}>
        {hasFailed && <Alert look="danger">{`${t('liveCommunicationError')} ${t('liveTryLater')}`}</Alert>}
      </div>
      <div className={styles.actions}>
        <Button className={styles.action} aria-disabled={isBusy} onClick={once(() => void logOut())}>
          {leaving === 'sending' && <Spinner />}
          <span>{t('realityLeave')}</span>
        </Button>
        <Button
          look="primary"
          className={styles.action}
          aria-disabled={isBusy}
          onKeyDown={ignoreHeldKey}
          onClick={once(goOn)}
        >
          {answer === 'sending' && <Spinner />}
          <span>{t('continue')}</span>
        </Button>
      </div>
      {!isOverLimits && (
        <Button look="text" className={styles.limits} onClick={() => dispatch(panelTurned('protection'))}>
          {t('limitsOpen')}
        </Button>
      )}
    </Dialog>
  )
}

import { useEffect, useId, useRef, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Dialog } from '../../components/Dialog'
import { Failed, PressButton, useForm } from '../../components/Form'
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
  const leaving = useForm()
  const id = useId()
  const time = useRef<HTMLParagraphElement>(null)
  // Not a button: a key that was meant for the page must not answer.
  useEffect(() => time.current?.focus(), [])
  const isBusy = answer === 'sending' || leaving.isBusy
  const failure = `${t('liveCommunicationError')} ${t('liveTryLater')}`
  const goOn = () => {
    if (!isBusy) {
      leaving.show({})
      dispatch(continued())
    }
  }
  const logOut = () => {
    if (!isBusy) {
      const failed = () => ({ failed: failure })
      // The dialog is gone after a logout.
      leaving.send(() => dispatch(leave).then(failed), failed)
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
      <Failed text={answer === 'failed' ? failure : leaving.failed} className={styles.answer} />
      <div className={styles.actions}>
        <PressButton className={styles.action} aria-disabled={isBusy} isBusy={leaving.isBusy} onPress={logOut}>
          {t('realityLeave')}
        </PressButton>
        <PressButton
          look="primary"
          className={styles.action}
          aria-disabled={isBusy}
          isBusy={answer === 'sending'}
          onPress={goOn}
        >
          {t('continue')}
        </PressButton>
      </div>
      {!isOverLimits && (
        <Button look="text" className={styles.limits} onClick={() => dispatch(panelTurned('protection'))}>
          {t('limitsOpen')}
        </Button>
      )}
    </Dialog>
  )
}

import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Toast } from '../../components/Toasts'
import { useSecondsLeft } from '../../components/useSecondsLeft'
import { wholeNumbers } from '../../components/wholeNumbers'
import { useTranslation } from '../../i18n/useTranslation'
import { announcementRead } from '../../platform/account/protectionSlice'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'

/** Announces the end of the login by its limit. It stays until it is closed, and counts the minutes down. */
export function SessionEndToast({ endsAt }: { endsAt: number }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const offset = useAppSelector(selectServerOffset)
  const seconds = useSecondsLeft(endsAt - offset)
  const count = Math.max(1, Math.ceil(seconds / 60))
  return (
    <Toast
      text={wholeNumbers(t('sessionEndsIn', { count }))}
      pressText={t('dismiss')}
      onPress={() => dispatch(announcementRead())}
    />
  )
}

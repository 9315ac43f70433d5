import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Toast, Toasts } from '../../components/Toasts'
import { wholeNumbers } from '../../components/wholeNumbers'
import { useTranslation } from '../../i18n/useTranslation'
import { selectAnnouncedEnd } from '../../platform/account/protectionSlice'
import { noticeDismissed } from '../../platform/notices/noticesSlice'
import { SessionEndToast } from './SessionEndToast'

/** The toasts. Screen readers get their texts from `Announcer`. */
export function NoticeToasts() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const notices = useAppSelector((state) => state.notices.notices)
  const end = useAppSelector(selectAnnouncedEnd)
  if (notices.length === 0 && !end) {
    return null
  }
  return (
    <Toasts label={t('messages')}>
      {end && <SessionEndToast endsAt={end.endsAt} />}
      {notices.map(({ id, key, values, act }) => (
        <Toast
          key={id}
          text={wholeNumbers(t(key, values))}
          pressText={t(act ? act.key : 'dismiss')}
          onPress={() => {
            dispatch(noticeDismissed(id))
            if (act) {
              dispatch(act.action)
            }
          }}
        />
      ))}
    </Toasts>
  )
}

import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Toast, Toasts } from '../../components/Toasts'
import { wholeNumbers } from '../../components/wholeNumbers'
import { useTranslation } from '../../i18n/useTranslation'
import { noticeDismissed } from '../../platform/notices/noticesSlice'

/** The toasts. Screen readers get their texts from `Announcer`. */
export function NoticeToasts() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const notices = useAppSelector((state) => state.notices.notices)
  if (notices.length === 0) {
    return null
  }
  return (
    <Toasts label={t('messages')}>
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

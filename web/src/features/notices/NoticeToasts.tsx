import { useTranslation } from 'react-i18next'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { LiveRegion } from '../../components/LiveRegion'
import { Toast, Toasts } from '../../components/Toasts'
import { noticeDismissed } from './noticesSlice'

/** Short messages, and the same for screen readers. */
export function NoticeToasts() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const notices = useAppSelector((state) => state.notices.notices)
  const newest = notices.at(-1)
  return (
    <>
      <LiveRegion text={newest ? t(newest.key, newest.values) : ''} />
      <Toasts>
        {notices.map(({ id, key, values }) => (
          <Toast
            key={id}
            text={t(key, values)}
            dismissText={t('dismiss')}
            onDismiss={() => dispatch(noticeDismissed(id))}
          />
        ))}
      </Toasts>
    </>
  )
}

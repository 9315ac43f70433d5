import type { AppDispatch } from '../../app/store'
import { showLoggedOut } from '../../platform/account/otherTabs'
import { noticeShown } from '../../platform/notices/noticesSlice'

/** Logs out. The page shows the user as logged out only after the server has confirmed it. */
export async function leave(dispatch: AppDispatch): Promise<void> {
  try {
    const { logout } = await import('../../api/accountApi')
    await logout()
  } catch {
    dispatch(noticeShown('liveCommunicationError'))
    return
  }
  dispatch(showLoggedOut)
}

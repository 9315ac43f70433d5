/** Shows a logout in all tabs of the browser. Otherwise it would look like a lost session in the others. */
import type { AppDispatch, AppStartListening, AppStore, RootState } from '../../app/store'
import { pageOpened, panelTurned } from '../view/viewSlice'
import { loggedOut, selectUser, strangerSeen } from './accountSlice'

/** The messages between the tabs: the name of the user that logged out. */
export interface TabsChannel {
  readonly post: (name: string) => void
  readonly listen: (listener: (name: string) => void) => () => void
}

/** Shows the user as logged out, after the server has confirmed it. */
export function showLoggedOut(dispatch: AppDispatch, getState: () => RootState): void {
  dispatch(loggedOut())
  dispatch(strangerSeen())
  // A dialog of the account must not open by itself after the next login.
  dispatch(panelTurned(null))
  const { page } = getState().view
  if (page === 'bets' || page === 'statement') {
    dispatch(pageOpened('list'))
  }
}

export function startOtherTabs(
  { dispatch, getState }: AppStore,
  startListening: AppStartListening,
  channel: TabsChannel,
): () => void {
  /** The user that logged out in another tab. */
  let reported: string | null = null
  const stopListening = startListening({
    actionCreator: loggedOut,
    effect: (_, api) => {
      const name = selectUser(api.getOriginalState())?.name
      if (name !== undefined && name !== reported) {
        channel.post(name)
      }
    },
  })
  const stopChannel = channel.listen((name) => {
    const user = selectUser(getState())
    if (!user) {
      // The hub was faster. Nothing of the user may be kept for a login.
      dispatch(loggedOut())
    } else if (user.name === name) {
      reported = name
      dispatch(showLoggedOut)
      reported = null
    }
  })
  return () => {
    stopListening()
    stopChannel()
  }
}

/** The tabs of this browser. */
export function browserTabs(): TabsChannel {
  const channel = new BroadcastChannel('cn-account')
  return {
    post: (name) => channel.postMessage(name),
    listen: (listener) => {
      const onMessage = ({ data }: MessageEvent<unknown>) => typeof data === 'string' && listener(data)
      channel.addEventListener('message', onMessage)
      return () => {
        channel.removeEventListener('message', onMessage)
        channel.close()
      }
    },
  }
}

import { ApiError } from '../../api/request'
import { useAppDispatch } from '../../app/hooks'
import { loginRequired } from '../view/viewSlice'
import { strangerSeen } from './accountSlice'

/** Opens the login page if a call has failed because it needs a login. Returns whether it did. */
export function useLoginRequired(): (error: unknown) => boolean {
  const dispatch = useAppDispatch()
  return (error) => {
    const isRequired = error instanceof ApiError && error.failure === 'unauthorised'
    if (isRequired) {
      dispatch(strangerSeen())
      dispatch(loginRequired())
    }
    return isRequired
  }
}

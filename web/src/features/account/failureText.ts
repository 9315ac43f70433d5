import { ApiError } from '../../api/request'
import type { useTranslation } from '../../i18n/useTranslation'

/** Why a call that changes the account failed: the server's text if it rejected the call, for example the password. */
export function failureText(error: unknown, t: ReturnType<typeof useTranslation>['t']): string {
  const failure = error instanceof ApiError ? error.failure : 'network'
  if (error instanceof ApiError && failure === 'refused') {
    return error.reasons[0] ?? t('liveTryLater')
  }
  return failure === 'tooMany' ? t('tooManyTries') : `${t('liveCommunicationError')} ${t('liveTryLater')}`
}

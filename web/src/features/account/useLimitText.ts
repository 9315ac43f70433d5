import type { Flow, LimitName, LimitValue, Timer, Window } from '../../api/protectionApi'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { isTimer } from './limits'

/** Returns functions that name a limit ("Ulog, 24 h") and format its value. */
export function useLimitText() {
  const { t } = useTranslation()
  const money = useMoney()
  return {
    limitName: (name: LimitName): string => {
      const [group, window] = name.split('.') as [Flow | Timer, Window | undefined]
      return window === undefined ? t(`limit_${group}`) : `${t(`limit_${group}`)}, ${t(`limit_${window}`)}`
    },
    /** The unit of its field: the currency's symbol, or minutes. */
    limitUnit: (name: LimitName): string =>
      (isTimer(name) ? t('limitMinutes', { minutes: '' }) : money('0').replace(/[\d.,]/g, '')).trim(),
    limitValue: (name: LimitName, value: LimitValue): string => {
      if (value === null) {
        return t('limitNone')
      }
      return isTimer(name) ? t('limitMinutes', { minutes: value }) : money(value)
    },
  }
}

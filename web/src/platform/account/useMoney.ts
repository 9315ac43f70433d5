import { useAppSelector } from '../../app/hooks'
import { formatMoney } from '../../i18n/locale'
import { selectLanguage } from '../preferences/preferencesSelectors'
import { selectCurrency } from './accountSlice'

/** Returns a function that formats exact amounts in the user's currency and language. */
export function useMoney(): (amount: string) => string {
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  return (amount) => formatMoney(language, amount, currency)
}

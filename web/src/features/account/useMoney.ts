import { useAppSelector } from '../../app/hooks'
import { formatMoney } from '../../i18n/locale'
import { selectLanguage } from '../preferences/preferencesSelectors'
import { selectCurrency } from './accountSlice'

/** Writes exact amounts in the bettor's currency and language. */
export function useMoney(): (amount: string) => string {
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  return (amount) => formatMoney(language, amount, currency)
}

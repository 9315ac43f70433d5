import { formatMoney, type LanguageCode } from './locale'

/** A text of the server with its amounts, such as `20.00 EUR`, in the format of the page. */
export function moneyInText(language: LanguageCode, text: string): string {
  return text.replace(/(?<![\d.,])(\d+\.\d{2}) ([A-Z]{3})(?![A-Za-z])/g, (_, amount: string, currency: string) =>
    formatMoney(language, amount, currency),
  )
}

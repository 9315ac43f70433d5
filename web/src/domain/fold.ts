/**
 * Names as they are compared in a search: small letters without marks, Cyrillic as Latin, so that `djokovic` finds
 * Đoković and Ђоковић alike.
 */

/** Letters that are not a letter with a mark, and Cyrillic, each as what is typed for it. */
const LETTERS: Readonly<Record<string, string>> = {
  đ: 'd',
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  ђ: 'd',
  е: 'e',
  ж: 'z',
  з: 'z',
  и: 'i',
  ј: 'j',
  к: 'k',
  л: 'l',
  љ: 'lj',
  м: 'm',
  н: 'n',
  њ: 'nj',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  ћ: 'c',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'c',
  ч: 'c',
  џ: 'dz',
  ш: 's',
}

/** The words of a name, folded and with one blank between them. */
export function fold(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
  const latin = Array.from(plain, (letter) => LETTERS[letter] ?? letter).join('')
  return (
    latin
      // Written with two letters where there is no đ.
      .replaceAll('dj', 'd')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  )
}

/**
 * Normalises names for the search: lower case, without diacritics, Cyrillic as Latin. So `djokovic` finds both Đoković
 * and Ђоковић.
 */

/** Replacements for Cyrillic and for letters that Unicode does not decompose. */
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

/** The normalised name, with one space between words. */
export function fold(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
  const latin = Array.from(plain, (letter) => LETTERS[letter] ?? letter).join('')
  return (
    latin
      // `dj` is the spelling without đ.
      .replaceAll('dj', 'd')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  )
}

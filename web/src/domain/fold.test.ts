import { describe, expect, it } from 'vitest'
import { fold } from './fold'

describe('a folded name', () => {
  it.each([
    ['Đoković', 'dokovic'],
    ['Djokovic', 'dokovic'],
    ['Ђоковић', 'dokovic'],
    ['Шибеник', 'sibenik'],
    ['ŠIBENIK', 'sibenik'],
    ['Љубљана', 'ljubljana'],
    ['Ljubljana', 'ljubljana'],
    ['Њиш', 'njis'],
    ['Џеко', 'dzeko'],
    ['Džeko', 'dzeko'],
    ['Bodø/Glimt', 'bodo glimt'],
    ['Górnik Łódź', 'gornik lodz'],
    ['  A.C.  Milan ', 'a c milan'],
    ['Straße 21', 'strasse 21'],
    ['…', ''],
  ])('%s is %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })
})

import { describe, expect, it } from 'vitest'
import { readAddress } from './address'

describe('the address', () => {
  it.each([
    ['/scoreboard/17', '?lang=sr&width=530&theme=dark', { matchId: 17, language: 'sr', width: 530, theme: 'dark' }],
    ['/scoreboard/17', '', { matchId: 17, language: null, width: 355, theme: null }],
    ['/scoreboard/17', '?lang=de&width=531&theme=pink', { matchId: 17, language: null, width: 355, theme: null }],
    ['/scoreboard/17', '?lang=toString&width=-530', { matchId: 17, language: null, width: 355, theme: null }],
    ['/scoreboard/0', '?tabs=0', { matchId: 0, language: null, width: 355, theme: null, hasTabs: false }],
  ])('%s%s is read', (path, query, expected) => {
    expect(readAddress(path, query)).toEqual({ hasTabs: true, ...expected })
  })

  it.each(['/scoreboard/', '/scoreboard/x', '/scoreboard/1/2', '/scoreboard/99999999999999999', '/17'])(
    '%s names no match',
    (path) => {
      expect(readAddress(path, '')).toBe(null)
    },
  )
})

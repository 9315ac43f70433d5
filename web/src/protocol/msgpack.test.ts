import { decode, encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMsgpack, type Encodable, encodeMsgpack, MsgpackError } from './msgpack'

/** The values that both sides support: no binary, no `undefined`, and no minus zero, which is no msgpack integer. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.array(tie('value'), { maxLength: 40 }),
    fc.dictionary(fc.string({ maxLength: 20 }), tie('value'), { maxKeys: 20 }),
  ),
})).value

const command = fc.letrec<{ command: Encodable }>((tie) => ({
  command: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.array(tie('command'), { maxLength: 40 }),
    fc.dictionary(
      fc.string({ maxLength: 20 }).filter((key) => key !== '__proto__'),
      tie('command'),
      { maxKeys: 20 },
    ),
  ),
})).command

describe('reading', () => {
  it('gives what another library has written', () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(decodeMsgpack(encode(original))).toEqual(original)
      }),
    )
  })

  it('of any bytes gives a value or an error of its own', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeMsgpack(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(MsgpackError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each<[string, number[]]>([
    ['nothing', []],
    ['bytes after the value', [0x01, 0x01]],
    ['an array that ends early', [0x92, 0x01]],
    ['an array of four thousand million', [0xdd, 0xff, 0xff, 0xff, 0xff]],
    ['a text longer than the bytes', [0xdb, 0x7f, 0xff, 0xff, 0xff, 0x61]],
    ['a map whose key is a number', [0x81, 0x01, 0x01]],
    ['a map whose key is a list', [0x81, 0x90, 0x01]],
    ['binary', [0xc4, 0x01, 0x00]],
    ['an extension', [0xd4, 0x01, 0x00]],
    ['a byte that msgpack does not use', [0xc1]],
    ['a text that is not UTF-8', [0xa1, 0xff]],
    ['lists in lists without end', Array(200).fill(0x91)],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeMsgpack(Uint8Array.from(bytes))).toThrow(MsgpackError)
  })

  it('of a map with a key that objects know gives that key', () => {
    const map = decodeMsgpack(Uint8Array.from([0x81, 0xa9, ...new TextEncoder().encode('__proto__'), 0x07]))
    expect(Object.entries(map as object)).toEqual([['__proto__', 7]])
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype)
  })
})

describe('writing', () => {
  it('is read by another library', () => {
    fc.assert(
      fc.property(command, (original) => {
        expect(decode(encodeMsgpack(original))).toEqual(original)
      }),
    )
  })

  it('knows no fractions', () => {
    expect(() => encodeMsgpack([1.5])).toThrow(MsgpackError)
  })
})

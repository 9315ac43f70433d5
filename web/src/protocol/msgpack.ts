/**
 * Reads and writes the part of msgpack that the hub and the HTTP calls use: no binary, no extensions. The bytes are
 * untrusted: lengths are checked against the available bytes, nesting has a limit, and trailing bytes are an error.
 */

/** Far deeper than any real message. */
const DEPTH_MAX = 32
/** Longer than any list of an offer. */
const LENGTH_MAX = 100_000

/** Most names and labels are not longer. */
const SHORT = 24

const TEXT = new TextDecoder('utf-8', { fatal: true })
const BYTES = new TextEncoder()

/** The bytes are not msgpack, or use a part of it that is not supported. */
export class MsgpackError extends Error {
  override readonly name = 'MsgpackError'
}

/** Decodes exactly one value. Throws {@link MsgpackError}. */
export function decodeMsgpack(data: ArrayBuffer | Uint8Array): unknown {
  const reader = new Reader(data instanceof Uint8Array ? data : new Uint8Array(data))
  const value = reader.value(0)
  reader.end()
  return value
}

class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  end(): void {
    if (this.#at !== this.#bytes.length) {
      throw new MsgpackError('bytes after the value')
    }
  }

  value(depth: number): unknown {
    const byte = this.#unsigned(1)
    if (byte < 0x80) {
      return byte
    }
    if (byte >= 0xe0) {
      return byte - 0x100
    }
    if (byte >= 0xa0 && byte < 0xc0) {
      return this.#text(byte & 0x1f)
    }
    if (byte < 0xa0) {
      return byte < 0x90 ? this.#map(byte & 0x0f, depth) : this.#array(byte & 0x0f, depth)
    }
    switch (byte) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xca:
        return this.#view.getFloat32(this.#take(4))
      case 0xcb:
        return this.#view.getFloat64(this.#take(8))
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (byte - 0xcc))
      case 0xcf:
        return Number(this.#view.getBigUint64(this.#take(8)))
      case 0xd0:
        return this.#view.getInt8(this.#take(1))
      case 0xd1:
        return this.#view.getInt16(this.#take(2))
      case 0xd2:
        return this.#view.getInt32(this.#take(4))
      case 0xd3:
        return Number(this.#view.getBigInt64(this.#take(8)))
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (byte - 0xd9)))
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(2 << (byte - 0xdc)), depth)
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (byte - 0xde)), depth)
      default:
        throw new MsgpackError(`no value of ours begins with ${byte}`)
    }
  }

  #array(length: number, depth: number): unknown[] {
    this.#fits(length, depth)
    const items: unknown[] = []
    for (let place = 0; place < length; place += 1) {
      items.push(this.value(depth + 1))
    }
    return items
  }

  #map(length: number, depth: number): Record<string, unknown> {
    this.#fits(length, depth)
    const entries: [string, unknown][] = []
    for (let place = 0; place < length; place += 1) {
      const key = this.value(DEPTH_MAX)
      if (typeof key !== 'string') {
        throw new MsgpackError('a key that is no text')
      }
      entries.push([key, this.value(depth + 1)])
    }
    // `fromEntries` defines keys. An assignment to `__proto__` would change the prototype.
    return Object.fromEntries(entries)
  }

  /** Each element takes at least one byte, so a longer length is false. It is rejected before memory is allocated. */
  #fits(length: number, depth: number): void {
    if (depth >= DEPTH_MAX || length > LENGTH_MAX || length > this.#bytes.length - this.#at) {
      throw new MsgpackError('too deep, or longer than there are bytes')
    }
  }

  #text(length: number): string {
    const from = this.#take(length)
    const plain = length <= SHORT ? this.#plain(from) : null
    if (plain !== null) {
      return plain
    }
    try {
      return TEXT.decode(this.#bytes.subarray(from, this.#at))
    } catch (cause) {
      throw new MsgpackError('a text that is not UTF-8', { cause })
    }
  }

  /** A short ASCII text; null for any other. For short texts this is faster than the browser's `TextDecoder`. */
  #plain(from: number): string | null {
    let text = ''
    for (let at = from; at < this.#at; at += 1) {
      const byte = this.#bytes[at] ?? 0
      if (byte >= 0x80) {
        return null
      }
      text += String.fromCharCode(byte)
    }
    return text
  }

  #unsigned(width: number): number {
    const from = this.#take(width)
    if (width === 1) {
      return this.#view.getUint8(from)
    }
    return width === 2 ? this.#view.getUint16(from) : this.#view.getUint32(from)
  }

  /** Consumes `length` bytes and returns the offset at which they begin. */
  #take(length: number): number {
    const from = this.#at
    if (length > this.#bytes.length - from) {
      throw new MsgpackError('the bytes end too early')
    }
    this.#at = from + length
    return from
  }
}

/** Values that a command can contain. */
export type Encodable = null | boolean | number | string | readonly Encodable[] | { readonly [key: string]: Encodable }

/** Encodes a value. Numbers must be integers. */
export function encodeMsgpack(value: Encodable): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  write(bytes, value)
  return Uint8Array.from(bytes)
}

function write(bytes: number[], value: Encodable): void {
  if (value === null) {
    bytes.push(0xc0)
  } else if (typeof value === 'boolean') {
    bytes.push(value ? 0xc3 : 0xc2)
  } else if (typeof value === 'number') {
    writeInteger(bytes, value)
  } else if (typeof value === 'string') {
    const text = BYTES.encode(value)
    writeHead(bytes, text.length, 0xa0, 31, 0xda)
    bytes.push(...text)
  } else if (Array.isArray(value)) {
    writeHead(bytes, value.length, 0x90, 15, 0xdc)
    for (const item of value) {
      write(bytes, item)
    }
  } else {
    const entries = Object.entries(value)
    writeHead(bytes, entries.length, 0x80, 15, 0xde)
    for (const [key, item] of entries) {
      write(bytes, key)
      write(bytes, item)
    }
  }
}

/** The client's frames have at most 4 KiB, so a length always fits in two bytes. */
function writeHead(bytes: number[], length: number, short: number, shortMax: number, long: number): void {
  if (length <= shortMax) {
    bytes.push(short | length)
  } else {
    bytes.push(long, ...bigEndian(length, 2))
  }
}

function writeInteger(bytes: number[], value: number): void {
  if (!Number.isSafeInteger(value)) {
    throw new MsgpackError('commands carry integers')
  }
  if (value >= -32 && value < 0x80) {
    bytes.push(value & 0xff)
  } else if (value >= 0 && value < 2 ** 32) {
    bytes.push(0xce, ...bigEndian(value, 4))
  } else {
    bytes.push(0xd3, ...bigEndian(Math.floor(value / 2 ** 32), 4), ...bigEndian(value, 4))
  }
}

function bigEndian(value: number, width: number): number[] {
  return Array.from({ length: width }, (_, place) => Math.floor(value / 2 ** (8 * (width - 1 - place))) & 0xff)
}

import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

const { error } = console

/** The store's check of serializable values only prints an error; here it fails the test. */
console.error = (...parts: unknown[]) => {
  error(...parts)
  if (String(parts[0]).startsWith('A non-serializable value')) {
    throw new Error(String(parts[0]))
  }
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

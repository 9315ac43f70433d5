/** Selects the theme: that of the address, otherwise the user's choice and its changes, otherwise the system's. */
import type { Address } from './address'

/** The key used by the client (preferencesStorage.ts). */
const KEY = 'cn-theme'

export function wearTheme({ theme }: Pick<Address, 'theme'>): void {
  const wear = () => {
    document.documentElement.dataset['theme'] = theme ?? chosen() ?? 'auto'
  }
  wear()
  // `storage` events come from all other pages of the client, also from the one around this frame.
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) {
      wear()
    }
  })
}

function chosen(): string | null {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return saved === 'dark' || saved === 'light' ? saved : null
  } catch {
    return null
  }
}

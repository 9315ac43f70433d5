/** Which theme the page wears: the one its address names, else the bettor's, followed as it changes, else the system's. */
import type { Address } from './address'

/** As the client keeps it (preferencesStorage.ts). */
const KEY = 'cn-theme'

export function wearTheme({ theme }: Pick<Address, 'theme'>): void {
  const wear = () => {
    document.documentElement.dataset['theme'] = theme ?? chosen() ?? 'auto'
  }
  wear()
  // Told by the other pages of the client, the one around this frame too.
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

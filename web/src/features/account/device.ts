/** A short name for the browser that a `User-Agent` describes. */

// The order matters: Edge and Opera also claim to be Chrome, and all of them to be Safari.
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

// Phones claim to be Linux or Mac OS too.
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Such as "Firefox, Windows"; null if neither the browser nor the system is known. */
export function deviceName(agent: string): string | null {
  const found = [BROWSERS, SYSTEMS].map((known) => known.find(([pattern]) => pattern.test(agent))?.[1])
  return found.filter((name) => name !== undefined).join(', ') || null
}

/**
 * Checks architecture rules that neither compiler nor linter knows: which folder may import which, no import cycles,
 * and every displayed text is a translation.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import bs from '../../config/translations/bs.json'
import en from '../../config/translations/en.json'
import hr from '../../config/translations/hr.json'
import sr from '../../config/translations/sr.json'
import { type LanguageCode, LOCALES } from './i18n/locale'

const SRC = import.meta.dirname

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

interface Source {
  /** Relative to src/. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

const IMPORT = /(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\sfrom\s+)?'(\.[^']*)'|import\('(\.[^']*)'\)/g

const PATHS = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|tsx)$/.test(path))

const SOURCES: readonly Source[] = PATHS.map((path) => {
  const text = readFileSync(join(SRC, path), 'utf8')
  const imports = Array.from(text.matchAll(IMPORT), ([, type, static_, dynamic]) => ({
    target: resolve(path, static_ ?? dynamic ?? ''),
    typeOnly: type !== undefined,
  }))
  return { path, text, imports }
})

function resolve(from: string, specifier: string): string {
  const target = relative(SRC, join(SRC, dirname(from), specifier))
  const found = ['', '.ts', '.tsx', '.d.ts'].map((end) => target + end).find((path) => PATHS.includes(path))
  return found ?? target
}

/** The gallery counts as test code: it uses the test kit, and its headings are for developers. */
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /^(testing|gallery)\//.test(path)
const CODE = SOURCES.filter(({ path }) => !isTest(path))

/** The folders that each folder may import, besides itself. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  protocol: ['domain'],
  i18n: [],
  api: ['protocol', 'domain'],
  components: ['domain', 'i18n', 'styles'],
  platform: ['api', 'protocol', 'domain', 'i18n', 'components', 'styles'],
  features: ['platform', 'api', 'protocol', 'domain', 'i18n', 'components', 'styles'],
  scoreboard: ['protocol', 'domain', 'i18n', 'components', 'styles'],
  app: ['features', 'platform', 'api', 'protocol', 'domain', 'i18n', 'components', 'styles'],
}

/**
 * Features and the platform may import the typed store hooks, which are those of react-redux at run time, and the
 * store's types.
 */
function isStoreType(from: string, { target, typeOnly }: Import): boolean {
  return (
    (from === 'features' || from === 'platform') &&
    (target === 'app/hooks.ts' || (target === 'app/store.ts' && typeOnly))
  )
}

const zoneOf = (path: string) => path.split('/')[0] ?? ''

describe('a folder', () => {
  it.each(Object.keys(ZONES))('%s uses what is below it alone', (zone) => {
    const wrong = CODE.filter(({ path }) => zoneOf(path) === zone).flatMap(({ path, imports }) =>
      imports
        .filter((used) => !used.target.startsWith('..') && !isStoreType(zone, used))
        .filter(({ target }) => zoneOf(target) !== zone && !ZONES[zone]?.includes(zoneOf(target)))
        .map(({ target }) => `${path} uses ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('is one of those that are known', () => {
    const known = new Set([...Object.keys(ZONES), 'testing', 'gallery', 'styles'])
    const strangers = PATHS.filter((path) => path.includes('/') && !known.has(zoneOf(path)))
    expect(strangers).toEqual([])
  })

  it('of a feature imports no other feature', () => {
    const wrong = CODE.filter(({ path }) => path.startsWith('features/')).flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith('features/') && dirname(target) !== dirname(path))
        .map(({ target }) => `${path} uses ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no file that only passes on', () => {
    const barrels = SOURCES.filter(({ path, text }) => /(^|\/)index\.tsx?$/.test(path) || /^export \*/m.test(text))
    expect(barrels.map(({ path }) => path)).toEqual([])
  })
})

it('an overlay is a component, so that all have the same keys and the same focus', () => {
  const overlay = /<dialog\b|\bpopover=|\.show(?:Modal|Popover)\(|aria-modal|role="(?:dialog|menu)"/
  const wrong = CODE.filter(
    ({ path, text }) => /^(features|platform|app|scoreboard)\//.test(path) && overlay.test(text),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

it('every overlay component uses what they have in common', () => {
  const overlays = CODE.filter(
    ({ path, text }) =>
      path.startsWith('components/') &&
      path.endsWith('.tsx') &&
      /<dialog\b|role="(?:dialog|menu)"|'listbox'/.test(text),
  )
  expect(overlays.map(({ path }) => path).sort()).toEqual(
    ['Callout', 'Cover', 'Dialog', 'Listbox', 'Menu', 'Popover'].map((name) => `components/${name}.tsx`),
  )
  expect(overlays.filter(({ text }) => !/\b(?:closedBy|useTriggered)\(/.test(text))).toEqual([])
})

it('a form is a component, so that all have the same guard against a double press', () => {
  const forms = CODE.filter(({ text }) => /<form\b/.test(text))
  expect(forms.map(({ path }) => path)).toEqual(['components/Form.tsx'])
})

it('nothing but tests uses the kit of the tests, or the gallery', () => {
  const wrong = CODE.filter(({ imports }) => imports.some(({ target }) => isTest(target)))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

it('no import goes round in a circle', () => {
  const graph = new Map(
    CODE.map(({ path, imports }) => [path, imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, way: readonly string[]) => {
    if (way.includes(path)) {
      circles.push([...way.slice(way.indexOf(path)), path].join(' > '))
    } else if (!done.has(path)) {
      for (const target of graph.get(path) ?? []) {
        visit(target, [...way, path])
      }
      done.add(path)
    }
  }
  for (const path of graph.keys()) {
    visit(path, [])
  }
  expect(circles).toEqual([])
})

it('protocol and domain know neither React nor the store', () => {
  const wrong = CODE.filter(({ path }) => /^(domain|protocol|api)\//.test(path)).filter(({ text }) =>
    /from '(react|react-dom|react-redux|@reduxjs\/toolkit|react-i18next)/.test(text),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

const LANGUAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = { hr, en, bs, sr }
const PLURAL = /_(zero|one|two|few|many|other)$/

const baseOf = (key: string) => key.replace(PLURAL, '')
const basesOf = (texts: Readonly<Record<string, string>>) => [...new Set(Object.keys(texts).map(baseOf))].sort()
const placesOf = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()

describe.each(Object.entries(LANGUAGES))('the translations of %s', (language, texts) => {
  it('have the keys of all, none empty', () => {
    expect(basesOf(texts)).toEqual(basesOf(hr))
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([])
  })

  it('have the plural forms of the language', () => {
    const forms = new Intl.PluralRules(LOCALES[language as LanguageCode]).resolvedOptions().pluralCategories
    const plurals = new Set(
      Object.keys(texts)
        .filter((key) => PLURAL.test(key))
        .map(baseOf),
    )
    const wanted = [...plurals].flatMap((base) => forms.map((form) => `${base}_${form}`))
    expect(
      Object.keys(texts)
        .filter((key) => PLURAL.test(key))
        .sort(),
    ).toEqual(wanted.sort())
  })

  it('have the places of all', () => {
    const places = new Map(Object.entries(hr).map(([key, text]) => [baseOf(key), String(placesOf(text))]))
    const wrong = Object.entries(texts).filter(([key, text]) => String(placesOf(text)) !== places.get(baseOf(key)))
    expect(wrong).toEqual([])
  })
})

describe('the translations', () => {
  const bases = basesOf(hr)

  it('of sr are Cyrillic, but for names', () => {
    const names = /\b(kvota|msgpack|JSON|HTTP|WebSocket|Idempotency-Key|UUID)\b/g
    const latin = Object.entries(sr).filter(
      // The credit contains names and titles in their original form.
      ([key, text]) =>
        key !== 'dataCredit' && /\p{Script=Latin}{2}/u.test(text.replace(/\{\{\w+\}\}/g, '').replace(names, '')),
    )
    expect(latin).toEqual([])
  })

  it('have every key that is used', () => {
    const used = CODE.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/(?:\bt|noticeShown)\(\s*'([^']+)'/g), ([, key]) => ({ path, key: key ?? '' })),
    )
    expect(used.length).toBeGreaterThan(0)
    const missing = used.filter(({ key }) => !bases.includes(key))
    expect(missing).toEqual([])
  })

  it('are where every word shown comes from', () => {
    const wrong = CODE.filter(({ path }) => path.endsWith('.tsx')).flatMap(({ path, text }) =>
      wordsShown(text).map((word) => `${path}: ${word}`),
    )
    expect(wrong).toEqual([])
  })
})

/** Texts that are the same in every language. */
const NAMES = /^(kvota|CC BY [\d.]+|doi:\S+)$/

/** Texts between tags, and in attributes that users see or screen readers read. */
function wordsShown(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
  const between = Array.from(code.matchAll(/>([^<>{}=;]*)<\//g), ([, words]) => words?.trim() ?? '')
  const attributes = code.matchAll(/\b(?:aria-label|aria-description|title|alt|placeholder|label)="([^"]*)"/g)
  const shown = [...between, ...Array.from(attributes, ([, words]) => words ?? '')]
  return shown.filter((words) => /\p{L}{2}/u.test(words) && !NAMES.test(words))
}

describe('a text that is written in the code', () => {
  it('is no sentence and has no letter of ours', () => {
    const wrong = CODE.filter(({ path }) => !SPELLERS.has(path)).flatMap(({ path, text }) =>
      sentences(text).map((sentence) => `${path}: ${sentence}`),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    ["const a = 'Ponuda uživo'", ['Ponuda uživo']],
    ['const a = `Ukupno parova: {sum}`', ['Ukupno parova: {sum}']],
    ["const a = 'Гол'", ['Гол']],
    ["say('Place your bet')", ['Place your bet']],
    ["throw new TypeError('Not a frame at all')", []],
    ["// It's a comment about 'Ponuda uživo'", []],
    ["const a = 'data-row match'", []],
    ["const a = t('matchCount')", []],
  ])('%s has %j', (code, expected) => {
    expect(sentences(code)).toEqual(expected)
  })
})

/** These files contain letters of other alphabets or names of languages on purpose. */
const SPELLERS = new Set(['domain/fold.ts', 'i18n/locale.ts'])

/** String literals that look like a text for users: the beginning of a sentence, or non-English letters. Not errors. */
function sentences(text: string): string[] {
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
    .replace(/\bnew \w*Error\((?:'[^'\n]*'|`[^`]*`)?/g, '')
  const literals = Array.from(code.matchAll(/'([^'\n]*)'|`([^`]*)`/g), ([, plain, template]) => plain ?? template ?? '')
  return literals.filter(
    (literal) => /^\p{Lu}\p{Ll}+ [\p{Ll}$]/u.test(literal) || /[čćžšđ]|\p{Script=Cyrillic}/iu.test(literal),
  )
}

it('a word between tags would be noticed', () => {
  expect(wordsShown('<p>Uživo</p> <b title="Sat">{t("a")}</b> <i>+</i>')).toEqual(['Uživo', 'Sat'])
})

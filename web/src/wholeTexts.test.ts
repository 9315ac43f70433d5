/**
 * Checks that a text is the only child of its element. React replaces the content of such an element when the text
 * changes. A text beside other children is a node that React writes into, and a browser that translates the page
 * replaces that node: the new text would never be seen.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const SRC = import.meta.dirname
const CODE = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx') && !/\.test\.tsx$|^(testing|gallery)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))

/** Names of properties and functions that hold or return elements, and are nowhere declared as texts. */
const ELEMENT_NAMES = namesOfElements(CODE.map(({ text }) => text).join('\n'))

describe('a text beside other children', () => {
  it('has an element of its own', () => {
    expect(CODE.flatMap(({ path, text }) => textsBeside(text, path))).toEqual([])
  })

  it.each([
    ['<b>{isBusy && <i />}{t(key)}</b>', ['{t(key)}']],
    ['<b><i />{isOn ? t(key) : <i />}</b>', ['{isOn ? t(key) : <i />}']],
    ['<b>{home} – {away}</b>', ['{home}', '–', '{away}']],
    ['<>{t(key)}</>', ['{t(key)}']],
    ['<Alert><b />{`text`}</Alert>', ['{`text`}']],
    ['<b><i />{names.map((name) => name)}</b>', ['{names.map((name) => name)}']],
    ['<b>{t(key)}</b>', []],
    ['<b>{isBusy ? <i /> : t(key)}</b>', []],
    ['<b>{isBusy && <i />}<span>{t(key)}</span></b>', []],
    ['<b>{isBusy && <i />} <i /></b>', []],
    ['<b><i />{names?.map((name) => <i>{name}</i>)}</b>', []],
  ])('is found in %s', (code, expected) => {
    const found = textsBeside(`const a = ${code}`, 'a.tsx')
    expect(found).toEqual(expected.map((text) => `a.tsx:1 gives ${text} no element of its own, such as a <span>`))
  })
})

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

function textsBeside(text: string, path: string): string[] {
  const { program } = parseSync(path, text)
  const values = new Map<string, Node>()
  const elements: Node[] = []
  visit(program, (node) => {
    const { id, init } = node as { id?: { name?: string }; init?: Node }
    if (node.type === 'VariableDeclarator' && id?.name && init) {
      values.set(id.name, init)
    }
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      elements.push(node)
    }
  })
  return elements.flatMap((element) => {
    const children = (element['children'] as Node[]).filter((child) => !isLayout(child))
    if (element.type === 'JSXElement' && children.length < 2) {
      return []
    }
    const hasValue = children.some(({ type }) => type === 'JSXExpressionContainer')
    return children
      .filter((child) =>
        child.type === 'JSXText'
          ? hasValue && String(child['value']).trim() !== ''
          : child.type === 'JSXExpressionContainer' && mayBeText(child['expression'] as Node, values),
      )
      .map((child) => {
        const line = text.slice(0, child.start).split('\n').length
        const code = text.slice(child.start, child.end).trim()
        return `${path}:${line} gives ${code} no element of its own, such as a <span>`
      })
  })
}

/** A comment, or space that JSX leaves out. */
function isLayout(child: Node): boolean {
  return child.type === 'JSXText'
    ? /^\s*\n\s*$/.test(String(child['value']))
    : (child['expression'] as Node | undefined)?.type === 'JSXEmptyExpression'
}

/** Whether an expression can be a text. Names that are not known to be elements count as texts. */
function mayBeText(node: Node, values: ReadonlyMap<string, Node>): boolean {
  const may = (member: unknown): boolean => mayBeText(member as Node, values)
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return false
    case 'Literal':
      return typeof node['value'] === 'number' || (typeof node['value'] === 'string' && node['value'].trim() !== '')
    case 'LogicalExpression':
      return (node['operator'] !== '&&' && may(node['left'])) || may(node['right'])
    case 'ConditionalExpression':
      return may(node['consequent']) || may(node['alternate'])
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return may(node['expression'])
    case 'ArrowFunctionExpression':
      return resultsOf(node['body'] as Node).some(may)
    case 'Identifier': {
      const value = values.get(String(node['name']))
      return value ? may(value) : !ELEMENT_NAMES.has(String(node['name'])) && node['name'] !== 'undefined'
    }
    case 'MemberExpression':
      return !ELEMENT_NAMES.has((node['property'] as { name?: string }).name ?? '')
    case 'CallExpression': {
      const callee = node['callee'] as Node
      const made = (node['arguments'] as Node[]).find(({ type }) => type === 'ArrowFunctionExpression')
      return made ? may(made) : may(callee)
    }
    default:
      return true
  }
}

/** What a function returns. */
function resultsOf(body: Node): Node[] {
  if (body.type !== 'BlockStatement') {
    return [body]
  }
  const results: Node[] = []
  visit(body, (node) => {
    if (node.type === 'ReturnStatement' && node['argument']) {
      results.push(node['argument'] as Node)
    }
    return !node.type.includes('Function')
  })
  return results
}

/** Visits a node and those inside it, but not inside one for which the visitor returns false. */
function visit(node: unknown, visitor: (node: Node) => unknown): void {
  if (Array.isArray(node)) {
    for (const each of node) {
      visit(each, visitor)
    }
  } else if (typeof node === 'object' && node !== null && 'type' in node && visitor(node as Node) !== false) {
    visit(Object.values(node), visitor)
  }
}

function namesOfElements(text: string): ReadonlySet<string> {
  const texts = new Set(Array.from(text.matchAll(/\b(\w+)\??: string\b/g), ([, name]) => name))
  const elements = Array.from(text.matchAll(/\b(\w+)\??: (?:\([^)\n]*\) => )?ReactNode\b/g), ([, name]) => name ?? '')
  return new Set(elements.filter((name) => !texts.has(name)))
}

/**
 * Creates DOM elements without a framework. Other files must create elements only here. Nothing here parses HTML, so
 * texts of the feed can only become text nodes.
 */

export type Child = Node | string | null | false | undefined
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

const SVG = 'http://www.w3.org/2000/svg'

export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children)
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS(SVG, name) as SVGElementTagNameMap[Name], attributes, children)
}

/** Sets a text only if it is different, to avoid unnecessary layout. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text
  }
}

export function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value)
  }
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
  element.append(...children.filter((child): child is Node | string => child instanceof Node || !!child))
  return element
}

/** User actions for a specimen after it is mounted. */
import type { Forced } from './forced'

export type Step = (specimen: HTMLElement) => void

function find(specimen: HTMLElement, selector: string): HTMLElement {
  const found = specimen.querySelector<HTMLElement>(selector)
  if (!found) {
    throw new Error(`the specimen has no ${selector}`)
  }
  return found
}

export const press =
  (selector: string): Step =>
  (specimen) =>
    find(specimen, selector).click()

export const force =
  (how: Forced, selector: string): Step =>
  (specimen) =>
    find(specimen, selector).setAttribute('data-forced', how)

/** Pretends that the browser plays HLS natively, so that playing fails at once. */
export const native =
  (selector: string): Step =>
  (specimen) =>
    Object.assign(find(specimen, selector), { canPlayType: () => 'maybe', getStartDate: () => new Date(Number.NaN) })

/** Dispatches an event as the browser would. */
export const tell =
  (selector: string, event: string): Step =>
  (specimen) =>
    find(specimen, selector).dispatchEvent(new Event(event, { bubbles: true }))

export const type =
  (selector: string, text: string): Step =>
  (specimen) => {
    const input = find(specimen, selector)
    // React ignores a value set through its own setter, so the native setter is used.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }

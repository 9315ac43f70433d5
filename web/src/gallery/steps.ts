/** What is done to a specimen once it is there, as a bettor would do it. */
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

/** A browser that plays the format by itself, for it fails by itself too. */
export const native =
  (selector: string): Step =>
  (specimen) =>
    Object.assign(find(specimen, selector), { canPlayType: () => 'maybe', getStartDate: () => new Date(Number.NaN) })

/** As the browser would tell of it. */
export const tell =
  (selector: string, event: string): Step =>
  (specimen) =>
    find(specimen, selector).dispatchEvent(new Event(event, { bubbles: true }))

export const type =
  (selector: string, text: string): Step =>
  (specimen) => {
    const input = find(specimen, selector)
    // React hears of a value only where it was set behind its back.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }

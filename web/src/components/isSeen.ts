/** Whether an element is visible. True in browsers from before 2024, which cannot check it. */
export function isSeen(element: Element): boolean {
  return element.checkVisibility?.() ?? true
}

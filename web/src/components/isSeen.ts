/** Whether an element is laid out to be seen; browsers of before 2024 cannot tell, and it is taken for so. */
export function isSeen(element: Element): boolean {
  return element.checkVisibility?.() ?? true
}

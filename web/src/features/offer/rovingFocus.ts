/**
 * Arrow keys in a grid of rows: up and down in a column, left and right in a row; and the space bar, which of itself
 * presses buttons and scrolls away from links. The marks are `data-row` and `data-cell`. Whether the key was one of these.
 */
export function moveFocus(grid: Element, from: EventTarget, key: string): boolean {
  const cell = from instanceof Element ? from.closest<HTMLElement>('[data-cell]') : null
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row) {
    return false
  }
  if (key === ' ' && cell.matches('a')) {
    cell.click()
    return true
  }
  const target = targetOf(grid, row, cell, key)
  target?.focus()
  return target !== null
}

function targetOf(grid: Element, row: HTMLElement, cell: HTMLElement, key: string): HTMLElement | null {
  const cells = cellsOf(row)
  switch (key) {
    case 'ArrowLeft':
      return cells[cells.indexOf(cell) - 1] ?? cell
    case 'ArrowRight':
      return cells[cells.indexOf(cell) + 1] ?? cell
    case 'Home':
      return cells[0] ?? cell
    case 'End':
      return cells.at(-1) ?? cell
    case 'ArrowUp':
      return inColumn(rowsOf(grid), row, -1, cell)
    case 'ArrowDown':
      return inColumn(rowsOf(grid), row, 1, cell)
    default:
      return null
  }
}

function rowsOf(grid: Element): HTMLElement[] {
  return [...grid.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => cellsOf(row).length > 0)
}

function cellsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-cell]')]
}

/** The cell of the same name in the next row, else that row's first. Headings without such a cell are skipped. */
function inColumn(rows: readonly HTMLElement[], row: HTMLElement, step: 1 | -1, cell: HTMLElement): HTMLElement {
  const name = cell.dataset['cell']
  for (let place = rows.indexOf(row) + step; ; place += step) {
    const next = rows[place]
    const cells = next ? cellsOf(next) : []
    const same = cells.find((other) => other.dataset['cell'] === name)
    if (same || next?.dataset['row'] !== 'tournament') {
      return same ?? cells[0] ?? cell
    }
  }
}

/**
 * The parts of an ARIA grid. A table element does not work here, because only visible rows are mounted and each is
 * positioned by itself. `aria-rowcount` and `aria-rowindex` describe the missing rows.
 */
import type { ComponentProps } from 'react'

export interface GridProps extends ComponentProps<'div'> {
  label: string
  rowCount: number
}

export function Grid({ label, rowCount, ...rest }: GridProps) {
  // biome-ignore lint/a11y/useSemanticElements: see the header of this file.
  return <div role="grid" aria-label={label} aria-rowcount={rowCount} {...rest} />
}

export interface GridRowProps extends ComponentProps<'div'> {
  rowIndex: number
}

export function GridRow({ rowIndex, ...rest }: GridRowProps) {
  // biome-ignore lint/a11y/useSemanticElements: see the header of this file.
  // biome-ignore lint/a11y/useFocusableInteractive: the focus is always in one of its cells.
  return <div role="row" aria-rowindex={rowIndex} {...rest} />
}

export interface GridCellProps extends ComponentProps<'div'> {
  /** Whether this cell is the header of its row. */
  isHeader?: boolean
}

export function GridCell({ isHeader = false, ...rest }: GridCellProps) {
  return <div role={isHeader ? 'rowheader' : 'gridcell'} {...rest} />
}

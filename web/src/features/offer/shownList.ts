/** The list as it is laid out now, for the rail, which leads to the leagues in it. */
import { type RefObject, useLayoutEffect } from 'react'
import type { ListLayout } from './listLayout'

export interface ShownList {
  readonly element: HTMLElement
  readonly layout: ListLayout
}

let shown: ShownList | null = null

export const shownList = () => shown

export function useShownList(list: RefObject<HTMLElement | null>, layout: ListLayout, isShown: boolean): void {
  useLayoutEffect(() => {
    shown = isShown && list.current ? { element: list.current, layout } : null
    return () => {
      shown = null
    }
  }, [list, layout, isShown])
}

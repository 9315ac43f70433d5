import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Shown if a component below fails while rendering. */
  fallback: ReactNode
  children: ReactNode
}

/** Limits a rendering error to a part of the page. A class, because React supports this only for classes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}

import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Shown if a component below fails while rendering. A function gets a callback that renders the children again. */
  fallback: ReactNode | ((retry: () => void) => ReactNode)
  children: ReactNode
}

/** Limits a rendering error to a part of the page. A class, because React supports this only for classes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  retry = () => this.setState({ failed: false })

  override render() {
    const { fallback, children } = this.props
    if (!this.state.failed) {
      return children
    }
    return typeof fallback === 'function' ? fallback(this.retry) : fallback
  }
}

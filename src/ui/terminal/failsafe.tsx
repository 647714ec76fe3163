/** Tells of an error while a screen is drawn, and draws nothing any more. */
import { Component, type ReactNode } from "react";

export interface FailsafeProps {
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

export class Failsafe extends Component<FailsafeProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

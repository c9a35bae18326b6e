import { Component, type ComponentType, createContext, createElement, type ReactNode } from "react";
import { errorHappened } from "./analytics.ts";

/**
 * What appears if a part cannot be loaded or rendered: a sentence in its place, a sentence over the page (for windows,
 * which have no place), or nothing (for parts that are no loss).
 */
export type PartFailure = "in place" | "over the page" | "nothing";

export interface PartProblemProps {
  failure: PartFailure;
  retry: () => void;
  /** Whether another attempt of the person has failed, so that a new page may help. */
  retried?: boolean | undefined;
}

/** Shows that a part failed; the app provides it, because this layer has no texts. */
export const PartProblem = createContext<ComponentType<PartProblemProps>>(() => null);

interface PartBoundaryProps {
  failure?: PartFailure;
  /** Replaces the sentence. */
  fallback?: ReactNode;
  /** A value whose change resets the boundary. */
  visit?: unknown;
  children?: ReactNode;
}

/** Keeps an error in a section or window away from the rest of the page, and reports it. */
export class PartBoundary extends Component<PartBoundaryProps, { failed: boolean }> {
  static override contextType = PartProblem;
  declare context: ComponentType<PartProblemProps>;
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    errorHappened(error);
  }

  override componentDidUpdate({ visit }: PartBoundaryProps) {
    if (this.state.failed && visit !== this.props.visit) this.setState({ failed: false });
  }

  override render() {
    const { failure = "in place", fallback, children } = this.props;
    if (!this.state.failed) return children;
    return fallback ?? createElement(this.context, { failure, retry: () => this.setState({ failed: false }) });
  }
}

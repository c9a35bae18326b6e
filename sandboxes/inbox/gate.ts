/** A place where things wait until they are let through. */
export interface Gate {
  wait(): Promise<void>;
  /** Lets everybody through who waits now. */
  open(): void;
}

export function gate(): Gate {
  const waiting = new Set<() => void>();
  return {
    wait: () => new Promise((resolve) => waiting.add(resolve)),
    open() {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}

/** A barrier at which callers wait until it opens. */
export interface Gate {
  wait(): Promise<void>;
  /** Releases all callers that are waiting now; later callers wait again. */
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

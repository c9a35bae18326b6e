/** Counts the uploads whose bytes are coming in. */
export interface ActiveUploads {
  /** Whether any is, in this process. */
  any(): boolean;
  /** Counts one while `work` goes on. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function countActiveUploads(): ActiveUploads {
  let now = 0;
  return {
    any: () => now > 0,
    async during(work) {
      now += 1;
      try {
        return await work();
      } finally {
        now -= 1;
      }
    },
  };
}

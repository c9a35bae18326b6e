/** Runs at most so many pieces of work at once; the others wait in line, the urgent ones at its front. */
export interface Queue {
  run<T>(work: () => Promise<T>, urgent?: boolean): Promise<T>;
}

export function queue(width: number): Queue {
  const waiting: { start: () => void; urgent: boolean }[] = [];
  let running = 0;
  const turn = (urgent: boolean) =>
    new Promise<void>((start) => {
      if (running < width) {
        running += 1;
        return start();
      }
      const last = urgent ? waiting.findIndex((other) => !other.urgent) : -1;
      waiting.splice(last === -1 ? waiting.length : last, 0, { start, urgent });
    });
  return {
    async run(work, urgent = false) {
      await turn(urgent);
      try {
        return await work();
      } finally {
        // The place is handed on rather than freed, so that nobody can slip in between.
        const next = waiting.shift();
        if (next) next.start();
        else running -= 1;
      }
    },
  };
}

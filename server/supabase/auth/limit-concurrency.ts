/**
 * Runs at most `width` pieces of work at once and keeps at most `waiting` more in line, in their order; one that comes
 * when the line is full is answered by `full`, which throws.
 */
export function limitConcurrency(width: number, waiting: number, full: () => never) {
  let running = 0;
  const line: (() => void)[] = [];

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < width) running += 1;
    else if (line.length < waiting) await new Promise<void>((resolve) => line.push(resolve));
    else full();
    try {
      return await work();
    } finally {
      const next = line.shift();
      // A place is handed on rather than given back, so that a newcomer cannot slip in before the line.
      if (next) next();
      else running -= 1;
    }
  };
}

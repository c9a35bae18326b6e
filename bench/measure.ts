/** One way of doing something; resolves to the milliseconds it took. */
export type Contender = () => Promise<number>;

export const timed =
  (work: () => Promise<unknown>): Contender =>
  async () => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

/**
 * Runs every contender in turn, `rounds` times after a first turn that does not count, so that whatever else the
 * machine does in between falls on all of them; resolves to each one's median in milliseconds.
 */
export async function interleave<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const took = await contenders[name]();
      if (round > 0) times.get(name)?.push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

/** Prints medians beside each other, and how many times the first takes longer than the others. */
export function report(title: string, medians: Record<string, number>) {
  console.log(`\n${title}`);
  const [first] = Object.values(medians);
  for (const [name, took] of Object.entries(medians)) {
    const ratio = first === undefined || took === 0 ? "" : `${(first / took).toFixed(2)} x`;
    console.log(`  ${name.padEnd(34)} ${took.toFixed(took < 10 ? 2 : 0).padStart(8)} ms  ${ratio.padStart(8)}`);
  }
}

/** The value below which so many in a hundred of sorted values lie. */
export const percentile = (sorted: number[], percent: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;

/** Prints a ratio beside the most that it may be, and whether it is. */
export function judgeMost(title: string, ratio: number, most: number, unit = "x") {
  const verdict = ratio <= most ? "pass" : "FAIL";
  console.log(`  ${verdict}  ${title.padEnd(44)} ${ratio.toFixed(2)} ${unit} of at most ${most}`);
}

/** Prints how fast `product` is beside its floor, the bare server that does nothing else, and whether that is enough. */
export function judge(title: string, { floor, product }: Record<"floor" | "product", number>, least: number) {
  const ratio = floor / product;
  const verdict = ratio >= least ? "pass" : "FAIL";
  console.log(
    `  ${verdict}  ${title.padEnd(44)} ${ratio.toFixed(2)} of at least ${Number(least.toFixed(2))}  (${product.toFixed(0)} ms, floor ${floor.toFixed(0)} ms)`,
  );
}

/** Who works at once in the benchmark of load, and for how long. */
export interface Load {
  people: number;
  guests: number;
  minutes: number;
  /** Seconds between an answer and the next request of the same person, on average. */
  thinking: number;
}

/** A variant to measure; resolves to its duration in milliseconds. */
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

/** The number of rounds that are measured although the time is up. */
const LEAST_ROUNDS = 3;

/** Numbers a warm-up round, 0, and `rounds` further ones. After `seconds` only so many follow that three are measured. */
export function* roundsWithin(rounds: number, seconds = Number.POSITIVE_INFINITY): Generator<number> {
  const end = performance.now() + seconds * 1000;
  for (let round = 0; round <= rounds && (round <= LEAST_ROUNDS || performance.now() < end); round += 1) yield round;
}

/**
 * Runs all contenders in turn, `rounds` times after a warm-up round, so that other load on the machine affects all of
 * them; fewer times on a machine that is too busy for them within `seconds`. Resolves to the median of each in
 * milliseconds.
 */
export async function interleave<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
  seconds?: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (const round of roundsWithin(rounds, seconds)) {
    for (const name of names) {
      const took = await contenders[name]();
      if (round > 0) times.get(name)?.push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

/** Prints medians, and the ratio of the first to each other one. */
export function report(title: string, medians: Record<string, number>) {
  console.log(`\n${title}`);
  const [first] = Object.values(medians);
  for (const [name, took] of Object.entries(medians)) {
    const ratio = first === undefined || took === 0 ? "" : `${(first / took).toFixed(2)} x`;
    console.log(`  ${name.padEnd(34)} ${took.toFixed(took < 10 ? 2 : 0).padStart(8)} ms  ${ratio.padStart(8)}`);
  }
}

/** The percentile of sorted values. */
export const percentile = (sorted: number[], percent: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;

/** Prints a ratio with its limit, and whether it is within it. */
export function judgeMost(title: string, ratio: number, most: number, unit = "x") {
  const verdict = ratio <= most ? "pass" : "FAIL";
  console.log(`  ${verdict}  ${title.padEnd(44)} ${ratio.toFixed(2)} ${unit} of at most ${most}`);
}

/** Prints the speed of `product` relative to its floor, a bare server, and whether it is sufficient. */
export function judge(title: string, { floor, product }: Record<"floor" | "product", number>, least: number) {
  const ratio = floor / product;
  const verdict = ratio >= least ? "pass" : "FAIL";
  console.log(
    `  ${verdict}  ${title.padEnd(44)} ${ratio.toFixed(2)} of at least ${Number(least.toFixed(2))}  (${product.toFixed(0)} ms, floor ${floor.toFixed(0)} ms)`,
  );
}

/** The size and duration of the load benchmark. */
export interface Load {
  people: number;
  guests: number;
  minutes: number;
  /** The average pause in seconds between a response and the person's next request. */
  thinking: number;
}

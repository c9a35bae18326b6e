/** The assumptions of `docs/scaling.md`. Each may be changed; all other numbers derive from them. */
const ASSUMED = {
  families: 5_000_000,
  /** For one family, over the years. */
  people: 6,
  memories: 2,
  photos: 250,
  videos: 8,
  comments: 60,
  /** Bytes of an original photo, all its renditions, an original video, and its poster and playback copy. */
  photoBytes: 3.5e6,
  renditionBytes: 0.6e6,
  videoBytes: 90e6,
  videoCopyBytes: 35e6,
  /** Bytes of a row with its indexes and dependent rows. Assumed; the document says how to measure them. */
  rowBytes: { memory: 6000, media: 2400, comment: 1100, person: 9000 },
  /** The share of all families in the busiest hour of a year, e.g. on Christmas evening. */
  activeAtPeak: 0.004,
  /** Per active family and second. */
  requestsASecond: 0.25,
  bytesASecond: 40_000,
  /** The share of bytes that a CDN serves. */
  cdnShare: 0.85,
  /** Open sockets per active family. */
  sockets: 1.5,
  /**
   * The capacity of a process's core and of a database's core, assumed low; `bench rest` and `bench load` measure it.
   */
  requestsOfACore: 150,
  queriesOfACore: 600,
  queriesOfARequest: 1.6,
  writes: 0.12,
  socketsOfAProcess: 15_000,
  /** The limits of one PostgreSQL: a machine of 32 cores, and a size that can be restored within hours. */
  databaseBytes: 1e12,
  databaseCores: 32,
};

/** Placeholders for monthly prices in any currency, to be replaced by an operator's offers. */
const PRICES = {
  core: 18,
  databaseCore: 45,
  databaseGigabyte: 0.12,
  objectGigabyte: 0.006,
  cdnGigabyte: 0.004,
  transferGigabyte: 0.01,
};

const GB = 1e9;
const SECONDS = 30 * 86_400;
/** The ratio of a month's mean to its busiest hour. */
const MEAN_OF_PEAK = 0.15;
/** Replicas per partition: one for failover, one for reads. */
const REPLICAS = 2;
/** Additional copies of an object, e.g. in a second region. */
const OBJECT_COPIES = 1;

type Assumed = typeof ASSUMED;

/** Returns the size and monthly cost of an installation with these assumptions. */
export function plan(a: Assumed) {
  const { rowBytes: row } = a;
  const perFamily = {
    rows:
      a.memories * row.memory + (a.photos + a.videos) * row.media + a.comments * row.comment + a.people * row.person,
    objects: a.photos * (a.photoBytes + a.renditionBytes) + a.videos * (a.videoBytes + a.videoCopyBytes),
  };
  const rows = perFamily.rows * a.families;
  const objects = perFamily.objects * a.families;
  const active = a.families * a.activeAtPeak;
  const requests = active * a.requestsASecond;
  const queries = requests * a.queriesOfARequest;
  const sockets = active * a.sockets;
  const processes = Math.ceil(Math.max(requests / a.requestsOfACore, sockets / a.socketsOfAProcess));
  const partitions = Math.ceil(
    Math.max(rows / a.databaseBytes, (queries * a.writes) / a.queriesOfACore / (a.databaseCores / 2)),
  );
  // Reads are spread over primaries and read replicas.
  const databaseCores = Math.max(Math.ceil(queries / a.queriesOfACore), partitions * 8);
  const peakBytes = active * a.bytesASecond;
  const monthBytes = peakBytes * MEAN_OF_PEAK * SECONDS;
  const cost = {
    processes: processes * PRICES.core,
    database: databaseCores * (1 + REPLICAS / 2) * PRICES.databaseCore,
    rows: (rows / GB) * (1 + REPLICAS) * PRICES.databaseGigabyte,
    objects: (objects / GB) * (1 + OBJECT_COPIES) * PRICES.objectGigabyte,
    delivery: (monthBytes / GB) * (a.cdnShare * PRICES.cdnGigabyte + (1 - a.cdnShare) * PRICES.transferGigabyte),
  };
  const total = Object.values(cost).reduce((sum, one) => sum + one, 0);
  return {
    perFamily,
    rows,
    objects,
    active,
    requests,
    queries,
    sockets,
    processes,
    partitions,
    databaseCores,
    peakBytes,
    monthBytes,
    cost,
    total,
  };
}

/**
 * Simulates families with log-normally distributed sizes and assigns each to a partition by a hash. Resolves to the
 * ratio of the fullest partition to the mean, which is that of `plan`.
 */
export function simulate(families: number, partitions: number, random = generator(20_261_123)) {
  const loads = new Float64Array(partitions);
  let [sum, largest] = [0, 0];
  for (let n = 0; n < families; n += 1) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    // With a standard deviation of 1.2, one family in a hundred is eight times as large as the mean.
    const size = Math.exp(1.2 * normal - 0.72);
    const partition = Math.floor(random() * partitions);
    loads[partition] = (loads[partition] ?? 0) + size;
    sum += size;
    largest = Math.max(largest, size);
  }
  return { mean: sum / families, fullest: Math.max(...loads) / (sum / partitions), largest };
}

/** A generator of numbers from 0 to 1 that repeats for a seed (mulberry32). */
function generator(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const number = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 3 });

/** The plan for five million families and for ten times as many, with a simulation that verifies it. */
export async function bench() {
  for (const times of [1, 10]) {
    const { perFamily, cost, ...needs } = plan({ ...ASSUMED, families: ASSUMED.families * times });
    console.log(`\n${number(ASSUMED.families * times)} families`);
    console.log(
      `  a family: ${number(perFamily.rows / 1e6)} MB of rows, ${number(perFamily.objects / GB)} GB of files`,
    );
    console.log(`  rows ${number(needs.rows / 1e12)} TB, files ${number(needs.objects / 1e15)} PB`);
    console.log(
      `  busiest hour: ${number(needs.active)} families, ${number(needs.requests)} requests and ${number(needs.queries)} queries a second`,
    );
    console.log(
      `  ${number(needs.sockets)} sockets, ${number((needs.peakBytes * 8) / 1e9)} Gbit/s, of which ${number((needs.peakBytes * 8 * (1 - ASSUMED.cdnShare)) / 1e9)} past the CDN`,
    );
    console.log(
      `  ${number(needs.processes)} processes, ${number(needs.partitions)} partitions, ${number(needs.databaseCores)} cores of databases before replicas`,
    );
    for (const [what, price] of Object.entries(cost))
      console.log(`  ${what.padEnd(12)} ${number(price).padStart(12)} a month`);
    console.log(
      `  ${"together".padEnd(12)} ${number(needs.total).padStart(12)} a month, ${(needs.total / (ASSUMED.families * times)).toFixed(3)} a family`,
    );
    const { mean, fullest, largest } = simulate(1_000_000, needs.partitions);
    console.log(
      `  simulated: mean ${mean.toFixed(3)}, fullest partition ${fullest.toFixed(3)} of the mean, largest family ${number(largest)} times the mean`,
    );
    // The plan calculates with means. It is valid only if families and partitions differ from the means by less than
    // this.
    for (const [what, holds] of [
      ["families are as large as reckoned", Math.abs(mean - 1) < 0.02],
      ["the fullest partition still fits", fullest * (needs.rows / needs.partitions) < ASSUMED.databaseBytes * 1.1],
    ] as const)
      console.log(`  ${holds ? "pass" : "FAIL"}  ${what}`);
  }
}

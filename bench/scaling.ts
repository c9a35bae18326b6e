/** Where the numbers below come from is said in `docs/scaling.md`; each may be changed, and the rest follows. */
const ASSUMED = {
  families: 5_000_000,
  /** Of one family, over the years. */
  people: 6,
  memories: 2,
  photos: 250,
  videos: 8,
  comments: 60,
  /** Bytes: an original photo, all its renditions, an original film, its poster and playable copy. */
  photoBytes: 3.5e6,
  renditionBytes: 0.6e6,
  videoBytes: 90e6,
  videoCopyBytes: 35e6,
  /** Bytes of a row with its indexes, and with all that hangs on it, as credits, links and sessions. Assumed; the document says how to measure. */
  rowBytes: { memory: 6000, media: 2400, comment: 1100, person: 9000 },
  /** Of all families, in the busiest hour of a year, as the evening of Christmas. */
  activeAtPeak: 0.004,
  /** Of those who are active: requests and bytes a second. */
  requestsASecond: 0.25,
  bytesASecond: 40_000,
  /** What a CDN answers of the bytes. */
  cdnShare: 0.85,
  /** Open sockets of one active family. */
  sockets: 1.5,
  /** What one core of a process and one core of a database do, assumed low; `bench rest` and `bench load` measure it on a machine at hand. */
  requestsOfACore: 150,
  queriesOfACore: 600,
  queriesOfARequest: 1.6,
  writes: 0.12,
  socketsOfAProcess: 15_000,
  /** Of one PostgreSQL on a machine of 32 cores: as much as is restored within some hours. */
  databaseBytes: 1e12,
  databaseCores: 32,
};

/** A month, in any one currency. Placeholders for what an operator is offered; nobody's offer. */
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
/** The mean of a month beside the busiest hour of a year. */
const MEAN_OF_PEAK = 0.15;
/** Replicas beside the primary of each partition: one that takes over, one that reads. */
const REPLICAS = 2;
/** Copies of an object beside the first, as in a second region. */
const OBJECT_COPIES = 1;

type Assumed = typeof ASSUMED;

/** What such an installation needs and costs a month. */
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
  // Reads are spread over the primaries and the replicas that read.
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
 * Draws families whose sizes differ as those of real people do, by a log-normal distribution, assigns each to a partition by a
 * hash of its memories, and resolves to how much fuller the fullest partition is than the mean. The mean is that of `plan`.
 */
export function simulate(families: number, partitions: number, random = generator(20_261_123)) {
  const loads = new Float64Array(partitions);
  let [sum, largest] = [0, 0];
  for (let n = 0; n < families; n += 1) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    // A deviation of 1.2: one family in a hundred is eight times as large as the mean.
    const size = Math.exp(1.2 * normal - 0.72);
    const partition = Math.floor(random() * partitions);
    loads[partition] = (loads[partition] ?? 0) + size;
    sum += size;
    largest = Math.max(largest, size);
  }
  return { mean: sum / families, fullest: Math.max(...loads) / (sum / partitions), largest };
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
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

/** The plan for five million families, for ten times as many, and a simulation that checks their arithmetic. */
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
    // The plan reckons with means; it holds where families and partitions differ from them as little as this.
    for (const [what, holds] of [
      ["families are as large as reckoned", Math.abs(mean - 1) < 0.02],
      ["the fullest partition still fits", fullest * (needs.rows / needs.partitions) < ASSUMED.databaseBytes * 1.1],
    ] as const)
      console.log(`  ${holds ? "pass" : "FAIL"}  ${what}`);
  }
}

import type { Database } from "../../database/database.ts";
import type { Job } from "../worker.ts";
import { confirmDifference, type ReadBackDeps, repairDueFiles } from "./damaged-files.ts";
import { differenceOf, type PacedReader, pacedReader, type StoredFile } from "./paced-reader.ts";
import { CHECKSUMS, COLUMNS, keepChecksums } from "./stored-files.ts";

/** The limits of a round. */
export interface ReadBackLimits {
  /** The days in which every file is read once. */
  days: number;
  /** The most bytes read in a day. Then a round takes longer. */
  maxBytesPerDay: number;
}

const GIB = 1024 ** 3;
/** The fewest bytes a day, so that a small store that grows is not read at the speed of its past. */
const MIN_BYTES_PER_DAY = GIB;
/** A round does not begin earlier than this after the beginning of the last one. */
const MIN_ROUND_DAYS = 7;
const MINUTE_MS = 60_000;
/** The speed holds in each hour: after a pause, at most an hour's bytes are read at once. */
const BURST = "interval '1 hour'";

type Deps = Omit<ReadBackDeps, "signal"> & { limits: ReadBackLimits };

/**
 * Reads stored files again, slowly and one after the other, and compares them with the checksums kept at upload. All
 * processes share one round, whose position is a row. A killed process leaves it behind by one file.
 */
export const readBackJob = ({ limits, ...deps }: Deps): Job => ({
  name: "read-back",
  interval: 10 * MINUTE_MS,
  delay: MINUTE_MS,
  async run({ requested: signal }) {
    const work = { ...deps, signal };
    const reader = pacedReader(deps.files.objects, signal);
    await setSpeed(deps.db, limits);
    await repairDueFiles(work, reader);
    let position = await findPosition(deps.db);
    await pay(deps.db, position?.lastRead, reader, undefined);
    while (position && !signal.aborted) {
      const { file, lastRead, isDamaged } = position;
      if (!file) {
        await endRound(deps.db, limits, lastRead);
        return undefined;
      }
      if (!isDamaged) await readBack(work, reader, file);
      await pay(deps.db, lastRead, reader, file);
      position = await findPosition(deps.db);
    }
    return undefined;
  },
});

async function readBack(deps: ReadBackDeps, reader: PacedReader, file: StoredFile): Promise<void> {
  const reading = await reader.read(file);
  if (differenceOf(reading, file)) {
    await confirmDifference(deps, reader, file);
  } else if (file.sha256 === null && "measured" in reading) {
    // A single wrong reading would make the file seem damaged for ever.
    const { sha256, size } = reading.measured;
    const second = await reader.read({ ...file, sha256, size } as StoredFile);
    if (!differenceOf(second, { ...file, sha256, size })) await keepChecksums(deps.db, file, reading);
  }
}

/** Sets the speed of the round, once a day. */
async function setSpeed(db: Database, { days, maxBytesPerDay }: ReadBackLimits): Promise<void> {
  const { rows } = await db.query<{ isCurrent: boolean }>(
    `insert into private.read_back as r (id) values (true) on conflict (id) do update set id = true
     returning coalesce(r.measured_at > now() - interval '1 day' and r.bytes_per_day <= $1, false) as "isCurrent"`,
    [maxBytesPerDay],
  );
  if (rows[0]?.isCurrent) return;
  await db.query(
    `update private.read_back set measured_at = now(), stored_files = o.files,
       bytes_per_day = least($2, greatest(o.bytes / $1, $3))
     from (select count(*) as files, coalesce(sum((metadata ->> 'size')::float8), 0) as bytes from storage.objects) o`,
    [days, maxBytesPerDay, MIN_BYTES_PER_DAY],
  );
}

interface Position {
  /** The object that was read last. */
  lastRead: string;
  /** The next file; absent at the end of the round. */
  file: StoredFile | undefined;
  /** Whether it is known to be damaged, and read at other times. */
  isDamaged: boolean;
}

/** The position of the round, if the next file may be read now. */
async function findPosition(db: Database): Promise<Position | undefined> {
  const { rows } = await db.query<StoredFile & { lastRead: string; isDamaged: boolean }>(
    `select r.last_read as "lastRead", o.*
     from private.read_back r
     left join lateral (
       select ${COLUMNS}, exists (select from private.damaged_files x where x.object_id = o.id and x.version = o.version) as "isDamaged"
       from storage.objects o ${CHECKSUMS} where o.id > r.last_read order by o.id limit 1) o on true
     where r.due_at <= now() and r.started_at <= now()`,
  );
  if (!rows[0]) return undefined;
  const { lastRead, isDamaged, ...file } = rows[0];
  return { lastRead, isDamaged, file: file.id ? file : undefined };
}

/** Moves the position to `file`, if it was read, and the time of the next one by the bytes that were read since. */
async function pay(db: Database, lastRead: string | undefined, reader: PacedReader, file: StoredFile | undefined) {
  await db.query(
    `update private.read_back set last_read = coalesce($2::uuid, last_read), bytes = bytes + $3,
       files = files + case when $2::uuid is null then 0 else 1 end,
       round_files = round_files + case when $2::uuid is null then 0 else 1 end,
       due_at = greatest(due_at, now() - ${BURST}) + $3 / bytes_per_day * interval '1 day'
     where $1::uuid is null or last_read = $1::uuid`,
    [lastRead ?? null, file?.id ?? null, reader.takeCost()],
  );
}

async function endRound(db: Database, { days }: ReadBackLimits, lastRead: string): Promise<void> {
  await db.query(
    `update private.read_back set finished_at = now(), last_read = '00000000-0000-0000-0000-000000000000', round_files = 0,
       started_at = greatest(now(), started_at + make_interval(secs => $2 * 86400))
     where last_read = $1`,
    [lastRead, Math.min(days, MIN_ROUND_DAYS)],
  );
}

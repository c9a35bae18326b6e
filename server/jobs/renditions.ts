import type { Database } from "../database/database.ts";
import type { Files } from "../supabase/storage/files.ts";
import { MissingBytes } from "../supabase/storage/object-store.ts";
import { UnreadablePicture } from "../supabase/storage/pictures.ts";
import { portray } from "./portrait.ts";

/** A picture that ended its process this often would end the next one too. */
const MOST_ATTEMPTS = 3;
/** How long a claim holds, in seconds: longer than any picture takes. */
const CLAIM_SECONDS = 180;
/** Claims of a process that was killed end without a notice, so the queue is also looked at this often. */
const PERIOD_MS = 60_000;
/** As many as there are cores to spare; the copies themselves wait in their own line. */
const AT_ONCE = 2;

interface RenditionDeps {
  db: Database;
  files: Files;
  log: { error(error: unknown, message?: string): void };
}

interface Claim {
  media_id: string;
  attempts: number;
  bucket_id: string;
  version: string;
}

/** Makes photos ready to be shown: those that wait at the start, and each one as it is stored. */
export async function startRenditions(deps: RenditionDeps): Promise<() => Promise<void>> {
  const { db, log } = deps;
  let stopped = false;
  let wanted = false;
  const workers = new Set<Promise<void>>();

  const work = async () => {
    // A photo stored just as the last look found nothing is told of by `wanted`.
    do {
      wanted = false;
      for (let claim = await next(deps); claim; claim = stopped ? undefined : await next(deps)) {
        await finish(deps, claim);
      }
    } while (wanted && !stopped);
  };
  const wake = () => {
    wanted = true;
    if (stopped || workers.size >= AT_ONCE) return;
    const worker: Promise<void> = work()
      .catch((error: unknown) => log.error(error))
      .finally(() => workers.delete(worker));
    workers.add(worker);
  };

  // A database in this process has no other worker: every claim in it is of one that was killed.
  if (db.kind === "pglite") await db.query("update private.media_claims set until = '-infinity'");
  const unlisten = await db.listen("media_waiting", wake);
  const timer = setInterval(wake, PERIOD_MS).unref();
  for (let i = 0; i < AT_ONCE; i++) wake();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await unlisten();
    await Promise.all(workers);
  };
}

/** Claims the picture that waits longest; two processes never hold the same one. */
async function next({ db }: RenditionDeps): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(
    `with longest as (
       select m.id, o.bucket_id, o.version from media m
       join storage.objects o on o.id = m.id left join private.media_claims c on c.media_id = m.id
       where m.state = 'waiting' and m.type = 'image' and coalesce(c.until < now(), true)
       order by m.created_at limit 1 for update of m skip locked
     ), claim as (
       insert into private.media_claims as c (media_id, until)
       select id, now() + make_interval(secs => $1) from longest
       on conflict (media_id) do update set attempts = c.attempts + 1, until = excluded.until where c.until < now()
       returning media_id, attempts
     ) select media_id, attempts, bucket_id, version from claim join longest on id = media_id`,
    [CLAIM_SECONDS],
  );
  return rows[0];
}

async function finish(deps: RenditionDeps, { media_id, attempts, bucket_id, version }: Claim): Promise<void> {
  const { db, log } = deps;
  try {
    if (attempts > MOST_ATTEMPTS) throw new UnreadablePicture();
    const portrait = await portray(deps.files, { bucket: bucket_id, version });
    await db.query(
      `update media set state = 'ready', placeholder = $2, colour = $3, width = $4, height = $5, taken_at = $6
       where id = $1`,
      [media_id, portrait.placeholder, portrait.colour, portrait.width, portrait.height, portrait.takenAt],
    );
  } catch (error) {
    // Deleted meanwhile: its row is gone or about to go.
    if (error instanceof MissingBytes) return;
    if (!(error instanceof UnreadablePicture)) {
      // Not the picture's fault, as a full disk: it does not count, and it is tried again once the claim is over.
      log.error(error, "A photo could not be made ready");
      await db.query("update private.media_claims set attempts = attempts - 1 where media_id = $1", [media_id]);
      return;
    }
    await db.query("update media set state = 'broken' where id = $1", [media_id]);
  }
  await db.query("delete from private.media_claims where media_id = $1", [media_id]);
}

import { Worker } from "node:worker_threads";
import { openPglite } from "../server/database/pglite.ts";
import { type Contender, interleave, report, timed } from "./measure.ts";

interface Queries {
  query(text: string, params?: unknown[]): Promise<unknown>;
  close(): Promise<unknown>;
}

const SMALL = "select json_agg(r.*)::text as body from (select id, title from bench_rows where id < $1) r";
const LARGE = "select json_agg(r.*)::text as body from (select * from bench_rows) r";
const SLOW = "select count(*) from bench_rows a join bench_rows b on a.title || b.id <> a.id::text";

/**
 * PGlite in this thread beside PGlite in another one, each on a folder of its own made alike: what a query costs, and
 * how long it holds up everything else.
 */
export async function compareThreads([here, there]: [string, string], rounds: number) {
  const [inProcess, inThread] = [await openPglite(here), await openInThread(there)];
  const compare = async (title: string, work: (db: Queries) => Contender) => {
    const contenders = { "in a thread": work(inThread), "in process": work(inProcess) };
    report(`PGlite: ${title}`, await interleave(contenders, rounds));
  };
  const repeat = (times: number, text: string, params: unknown[]) => (db: Queries) => async () => {
    for (let n = 0; n < times; n += 1) await db.query(text, params);
  };
  await compare("200 small reads, one after the other", (db) => timed(repeat(200, SMALL, [20])(db)));
  await compare("20 reads of 250 kB", (db) => timed(repeat(20, LARGE, [])(db)));
  await compare("how long one slow query holds up everything else", (db) => longestWait(repeat(1, SLOW, [])(db)));
  await inProcess.close();
  await inThread.close();
}

/** The longest time that nothing else in this thread had its turn while `work` went on. */
const longestWait =
  (work: () => Promise<unknown>): Contender =>
  async () => {
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    await work();
    // The beat that was held up comes before this.
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(beat);
    return longest;
  };

async function openInThread(folder: string): Promise<Queries> {
  // A thread starts without the loader that reads TypeScript.
  const source = JSON.stringify(new URL("./pglite-thread.ts", import.meta.url).href);
  const worker = new Worker(`import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`, {
    eval: true,
    workerData: folder,
  });
  const waiting = new Map<number, (rows: unknown) => void>();
  worker.on("message", ({ id, rows }: { id: number; rows: unknown }) => {
    waiting.get(id)?.(rows);
    waiting.delete(id);
  });
  await new Promise((resolve, reject) => {
    worker.once("error", reject);
    waiting.set(0, resolve);
  });
  let sent = 0;
  return {
    query(text, params = []) {
      sent += 1;
      const id = sent;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        worker.postMessage({ id, text, params });
      });
    },
    close() {
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage({ id: -1, text: "", params: [] });
      return ended;
    },
  };
}

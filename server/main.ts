import cluster from "node:cluster";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launchDatabase } from "./database/connect.ts";
import { migrate, migrationSets } from "./database/migrate.ts";
import { openPostgres } from "./database/postgres.ts";
import { packageRoot } from "./package-root.ts";
import { type ReloadState, writeReloadState } from "./reload-state.ts";
import { makeDataFolder } from "./settings/data-folder.ts";
import { readSettings, type Settings } from "./settings/settings.ts";
import { DirectDatabaseError, startFailure } from "./settings/start-failure.ts";
import type { WorkerStart } from "./workers.ts";

/** Opened resources in order of opening, with the functions that close them. */
const closers: (() => Promise<unknown>)[] = [];

/** Closes everything in reverse order. */
async function closeAll() {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Opens and migrates the database, for this number of processes. */
async function openDatabase(settings: Settings, processes?: number) {
  const { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl, DATABASE_READ_URL: readUrl } = settings;
  const open = await launchDatabase({ databaseUrl, directUrl, readUrl, dataDir: settings.DATA_DIR, processes });
  const migrated = open().then(async (db) => {
    closers.push(() => db.close());
    // A pooler would end long statements.
    const openDirect = (url: string) =>
      openPostgres(url).catch((error: unknown) => {
        throw new DirectDatabaseError(error);
      });
    const direct = directUrl ? await openDirect(directUrl) : db;
    await migrate(direct, migrationSets(packageRoot())).finally(() => (direct === db ? undefined : direct.close()));
    if (db.exclusive) await (await import("./jobs/jobs.ts")).releaseClaims(db);
    return db;
  });
  // Loads the server's modules while PostgreSQL starts. The `await`s below report failures of both.
  migrated.catch(() => {});
  return { migrated };
}

/** Serves in this process; a worker uses the resources of the first process. */
async function main(settings: Settings, worker?: WorkerStart) {
  const root = packageRoot();
  const { migrated } = await openDatabase(settings);
  const [{ createServer }, { findFfmpeg }, workers] = await Promise.all([
    import("./server.ts"),
    import("./jobs/video/ffmpeg.ts"),
    worker && import("./workers.ts"),
  ]);
  const server = await createServer(settings, {
    db: migrated,
    version: (JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }).version,
    webFolder: join(root, "dist/web"),
    ffmpeg: await findFfmpeg(process.env.PATH),
    worker: worker && workers && { id: cluster.worker?.id ?? 0, pages: workers.pagesOfPrimary(worker) },
  });
  closers.push(server.close);
  await server.app.listen({ port: settings.PORT, host: settings.HOST });
  server.startJobs();
  if (workers) workers.serveAsWorker(server, endProcess);
  else console.log(`Skies is at ${settings.publicUrl}`);
}

/** Starts workers, and replaces them one by one at `SIGHUP`. */
async function manage(settings: Settings, count: number) {
  const { migrated } = await openDatabase(settings, count);
  const { startPrimary } = await import("./workers.ts");
  const { url } = await migrated;
  // The workers' entry: this file, or in the build `main.js`, which loads it.
  const own = fileURLToPath(import.meta.url);
  const entry = own.endsWith(".cjs") ? join(dirname(own), "main.js") : own;
  const primary = await startPrimary({ ...settings, DATABASE_URL: settings.DATABASE_URL ?? url }, count, entry);
  closers.push(primary.close);
  const state: ReloadState = { pid: process.pid, reloads: 0, error: null };
  const noteReload = async (error: string | null) => {
    if (error === null) console.log("Every worker has been replaced");
    else console.error(`Not every worker was replaced: ${error}`);
    Object.assign(state, { reloads: state.reloads + 1, error });
    await writeReloadState(settings.DATA_DIR, state);
  };
  await writeReloadState(settings.DATA_DIR, state);
  process.on("SIGHUP", () => {
    primary
      .restart()
      .then(
        () => noteReload(null),
        (error: Error) => noteReload(error.message),
      )
      .catch((error: Error) => console.error(`The reload's outcome was not stored: ${error.message}`));
  });
  console.log(`Skies is at ${settings.publicUrl}, in ${count} processes`);
}

let ending: Promise<void> | undefined;

/** Closes everything once and exits. */
async function endProcess() {
  ending ??= closeAll();
  await ending;
  process.exit(0);
}

/**
 * Serves until a signal. A signal during the start lets it finish first, for STOP_SECONDS: it may wait for a database that
 * never answers, or for another process's migration. After that nothing is closed in order. Nothing is lost, as after
 * `kill -9`.
 */
async function serve(settings: Settings, start: () => Promise<void>) {
  const started = start();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      const abandon = setTimeout(() => {
        console.error("The start did not finish, and was abandoned.");
        process.exit(1);
      }, settings.STOP_SECONDS * 1000);
      await started.catch(() => {});
      clearTimeout(abandon);
      await endProcess();
    });
  }
  await started.catch(async (error: unknown) => {
    console.error(startFailure(error, settings));
    await closeAll();
    process.exit(1);
  });
}

async function run() {
  // The storage library's advice about Node is for us, who choose its version, and not for an operator.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  try {
    const startMessage = process.env.SKIES_WORKER_START;
    if (startMessage) {
      // Child processes must not inherit it.
      delete process.env.SKIES_WORKER_START;
      // A closed terminal sends SIGHUP to all its processes; only the primary handles it.
      process.on("SIGHUP", () => {});
      const worker = JSON.parse(startMessage) as WorkerStart;
      return await serve(worker.settings, () => main(worker.settings, worker));
    }
    const { values } = parseArgs({ options: { workers: { type: "string" } }, strict: false });
    const settings = readSettings({
      ...process.env,
      ...(typeof values.workers === "string" ? { WORKERS: values.workers } : {}),
    });
    const { WORKERS: count } = settings;
    await serve(settings, async () => {
      await makeDataFolder(settings.DATA_DIR);
      await (count ? manage(settings, count) : main(settings));
    });
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** Resolves when the server answers. */
export const started = run();

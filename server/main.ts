import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchDatabase } from "./database/connect.ts";
import { migrate, migrationSets } from "./database/migrate.ts";
import { readSettings, type Settings } from "./settings/settings.ts";
import { startFailure } from "./settings/start-failure.ts";

/** The package's folder, whether this file runs from source or from the build. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** What has been opened and how to close it, in the order of opening. */
const opened: (() => Promise<unknown>)[] = [];

/** Closes everything, the last first. */
async function closeAll() {
  for (const close of opened.splice(0).reverse()) await close();
}

async function main(settings: Settings) {
  const root = packageRoot();
  const open = await launchDatabase({ databaseUrl: settings.DATABASE_URL, dataDir: settings.DATA_DIR });
  const migrated = open().then(async (db) => {
    opened.push(() => db.close());
    await migrate(db, migrationSets(root));
    return db;
  });
  // The server's modules are loaded while PostgreSQL starts in a process of its own. A failure of either is told below.
  migrated.catch(() => {});
  const [{ createServices }, { findFfmpeg }] = await Promise.all([
    import("./services.ts"),
    import("./jobs/video/ffmpeg.ts"),
  ]);
  const services = await createServices(settings, {
    db: migrated,
    version: (JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }).version,
    webFolder: join(root, "dist/web"),
    ffmpeg: await findFfmpeg(process.env.PATH),
  });
  opened.push(services.close);
  await services.app.listen({ port: settings.PORT, host: settings.HOST });
  services.startJobs();
  console.log(`Skies is at ${settings.publicUrl}`);
}

/** Serves until a signal asks it to end, which a start that is under way finishes first. */
async function serve(settings: Settings) {
  const started = main(settings);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      await started.catch(() => {});
      await closeAll();
      process.exit(0);
    });
  }
  await started.catch(async (error: unknown) => {
    console.error(startFailure(error, settings));
    await closeAll();
    process.exit(1);
  });
}

async function run() {
  try {
    await serve(readSettings(process.env));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** Resolves when the server answers. */
export const started = run();

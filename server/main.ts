import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApp } from "./app.ts";
import { connect } from "./database/connect.ts";
import { migrate, migrationSets } from "./database/migrate.ts";
import { writeNotices } from "./jobs/notices/letters.ts";
import { startJobs } from "./jobs/start.ts";
import { findFfmpeg } from "./jobs/video/ffmpeg.ts";
import { openGateways, openPaymentGateway } from "./open-gateways.ts";
import { withSandboxes } from "./sandboxes.ts";
import { openSecrets } from "./secrets.ts";
import { readSettings, type Settings } from "./settings.ts";
import { startFailure } from "./start-failure.ts";
import { stoppingNotices } from "./stopping-notices.ts";
import { openFiles } from "./supabase/storage/files.ts";
import { unsubscribing } from "./unsubscribing.ts";

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

async function main(given: Settings) {
  const root = packageRoot();
  // The database starts in a process of its own, meanwhile.
  const connecting = connect({ databaseUrl: given.DATABASE_URL, dataDir: given.DATA_DIR }).then((db) => {
    opened.push(() => db.close());
    return db;
  });
  const sandboxing = withSandboxes(given).then((sandboxes) => {
    opened.push(sandboxes.close);
    return sandboxes;
  });
  const [db, { settings, pages }] = await Promise.all([connecting, sandboxing]);
  await migrate(db, migrationSets(root));
  const secrets = await openSecrets({ secretKey: settings.SECRET_KEY, dataDir: settings.DATA_DIR });
  const files = await openFiles(join(settings.DATA_DIR, "storage"));
  const app = await createApp({ db, settings, secrets, files, webFolder: join(root, "dist/web"), sandboxes: pages });
  const letters = { db, secret: secrets.unsubscribing, publicUrl: settings.publicUrl };
  const wishes = unsubscribing(letters);
  const notices = writeNotices({ ...letters, stopping: stoppingNotices(letters) });
  opened.push(
    await startJobs({
      db,
      files,
      gateways: openGateways(settings),
      site: settings.publicUrl,
      payments: openPaymentGateway(settings),
      wishes,
      notices,
      ffmpeg: await findFfmpeg(process.env.PATH),
      log: app.log,
    }),
  );
  // Requests end first: what answers them is still there.
  opened.push(() => app.close());
  await app.listen({ port: settings.PORT, host: settings.HOST });
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

try {
  await serve(readSettings(process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

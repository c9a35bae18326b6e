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
import { readSettings } from "./settings.ts";
import { stoppingNotices } from "./stopping-notices.ts";
import { openFiles } from "./supabase/storage/files.ts";
import { unsubscribing } from "./unsubscribing.ts";

/** The package's folder, whether this file runs from source or from the build. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

async function main() {
  const { settings, pages, close: closeSandboxes } = await withSandboxes(readSettings(process.env));
  const root = packageRoot();
  const db = await connect({ databaseUrl: settings.DATABASE_URL, dataDir: settings.DATA_DIR });
  await migrate(db, migrationSets(root));
  const secrets = await openSecrets({ secretKey: settings.SECRET_KEY, dataDir: settings.DATA_DIR });
  const files = await openFiles(join(settings.DATA_DIR, "storage"));
  const app = await createApp({ db, settings, secrets, files, webFolder: join(root, "dist/web"), sandboxes: pages });
  const ffmpeg = await findFfmpeg(process.env.PATH);
  const letters = { db, secret: secrets.unsubscribing, publicUrl: settings.publicUrl };
  const wishes = unsubscribing(letters);
  const notices = writeNotices({ ...letters, stopping: stoppingNotices(letters) });
  const stopJobs = await startJobs({
    db,
    files,
    gateways: openGateways(settings),
    site: settings.publicUrl,
    payments: openPaymentGateway(settings),
    wishes,
    notices,
    ffmpeg,
    log: app.log,
  });
  await app.listen({ port: settings.PORT, host: settings.HOST });
  console.log(`Skies is at ${settings.publicUrl}`);

  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      await app.close();
      await stopJobs();
      await closeSandboxes();
      await db.close();
      process.exit(0);
    });
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

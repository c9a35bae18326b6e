import type { Database } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded/embedded.ts";
import { openPostgres } from "./postgres.ts";

/** The PostgreSQL that `databaseUrl` names, else one of this process's own in a folder of `dataDir`. */
export async function connect(settings: { databaseUrl?: string; dataDir: string }): Promise<Database> {
  if (settings.databaseUrl) return openPostgres(settings.databaseUrl);
  const embedded = await startEmbeddedPostgres(settings.dataDir);
  try {
    const db = await openPostgres(embedded.url);
    return {
      ...db,
      exclusive: true,
      async close() {
        await db.close();
        await embedded.close();
      },
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

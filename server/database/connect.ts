import type { Database } from "./database.ts";
import { launchEmbeddedPostgres } from "./embedded/embedded.ts";
import { openPostgres } from "./postgres.ts";

interface ConnectSettings {
  databaseUrl?: string | undefined;
  dataDir: string;
}

/** The PostgreSQL that `databaseUrl` names, else one of this process's own in a folder of `dataDir`. */
export const connect = async (settings: ConnectSettings): Promise<Database> => (await launchDatabase(settings))();

/**
 * As {@link connect}, in two steps. Resolves when PostgreSQL runs, which takes some time to serve: what takes a while can
 * be done before the function that it resolves to is called. That one resolves when the database can be used.
 */
export async function launchDatabase({ databaseUrl, dataDir }: ConnectSettings): Promise<() => Promise<Database>> {
  if (databaseUrl) return () => openPostgres(databaseUrl);
  const embedded = await launchEmbeddedPostgres(dataDir);
  return async () => {
    await embedded.serving;
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
  };
}

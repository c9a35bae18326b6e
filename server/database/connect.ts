import type { Database } from "./database.ts";
import { launchEmbeddedPostgres, runningPostgresUrl, startEmbeddedPostgres } from "./embedded/embedded.ts";
import { FolderInUseError } from "./folder-lock.ts";
import { openPostgres } from "./postgres.ts";
import { withReplica } from "./replica.ts";

interface ConnectSettings {
  databaseUrl?: string | undefined;
  /** The same database without the pooler that `databaseUrl` leads to. */
  directUrl?: string | undefined;
  /** A streaming replica of it, for reads that may be a second old. */
  readUrl?: string | undefined;
  dataDir: string;
  /** How many processes will use a PostgreSQL of this process's own. */
  processes?: number | undefined;
}

/** Connections of one process: its pool, and one for each channel that it hears. */
const CONNECTIONS_PER_PROCESS = 30;

/** The PostgreSQL that `databaseUrl` names, else one of this process's own in a folder of `dataDir`. */
export const connect = async (settings: ConnectSettings): Promise<Database> => (await launchDatabase(settings))();

/**
 * As {@link connect}, in two steps. Resolves when PostgreSQL runs, which takes some time to serve: what takes a while can
 * be done before the function that it resolves to is called. That one resolves when the database can be used.
 */
export async function launchDatabase(settings: ConnectSettings): Promise<() => Promise<Database>> {
  const { databaseUrl, directUrl, readUrl, dataDir, processes = 0 } = settings;
  if (databaseUrl)
    return async () => {
      const db = await openPostgres(databaseUrl, directUrl);
      return readUrl ? withReplica(db, readUrl) : db;
    };
  // Each process while it is replaced by another one, and this one.
  const connections = CONNECTIONS_PER_PROCESS * (2 * processes + 2);
  const embedded = await launchEmbeddedPostgres(dataDir, { max_connections: `${connections}` });
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

/**
 * Where the database answers, for a program beside the server: the one that `databaseUrl` names, the one that a running server
 * started, or one that is started until `close`.
 */
export async function reachDatabase(settings: ConnectSettings): Promise<{ url: string; close(): Promise<void> }> {
  if (settings.databaseUrl) return { url: settings.databaseUrl, close: async () => {} };
  try {
    return await startEmbeddedPostgres(settings.dataDir);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { url: await runningPostgresUrl(settings.dataDir), close: async () => {} };
  }
}

import type { Database } from "./database.ts";
import { launchEmbeddedPostgres, runningPostgresUrl, startEmbeddedPostgres } from "./embedded/embedded.ts";
import { FolderInUseError } from "./folder-lock.ts";
import { openPostgres } from "./postgres.ts";
import { withReplica } from "./replica.ts";

interface ConnectSettings {
  databaseUrl?: string | undefined;
  /** The URL of the same database without the pooler. */
  directUrl?: string | undefined;
  /** The URL of a streaming replica, for reads that may be a second old. */
  readUrl?: string | undefined;
  dataDir: string;
  /** The number of processes that will use an embedded PostgreSQL. */
  processes?: number | undefined;
}

/** Connections of one process: its pool, and one for each channel that it listens to. */
const CONNECTIONS_PER_PROCESS = 30;

/** Connects to `databaseUrl`, otherwise to an embedded PostgreSQL in a folder of `dataDir`. */
export const connect = async (settings: ConnectSettings): Promise<Database> => (await launchDatabase(settings))();

/**
 * {@link connect} in two steps, so that the caller can work while PostgreSQL starts. Resolves when its process runs.
 * The returned function resolves when the database is ready.
 */
export async function launchDatabase(settings: ConnectSettings): Promise<() => Promise<Database>> {
  const { databaseUrl, directUrl, readUrl, dataDir, processes = 0 } = settings;
  if (databaseUrl)
    return async () => {
      const db = await openPostgres(databaseUrl, directUrl);
      return readUrl ? withReplica(db, readUrl) : db;
    };
  // For this process and each worker, twice: a worker's replacement starts before the worker ends.
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
 * Resolves to the database's URL for a separate program: `databaseUrl`, the embedded PostgreSQL of a running server, or
 * one that runs until `close`.
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

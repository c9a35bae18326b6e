import { join } from "node:path";
import type { Database } from "./database.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

/** PostgreSQL where `databaseUrl` names one, else PGlite in a folder of `dataDir`. */
export const connect = (settings: { databaseUrl?: string; dataDir: string }): Promise<Database> =>
  settings.databaseUrl ? openPostgres(settings.databaseUrl) : openPglite(join(settings.dataDir, "database"));

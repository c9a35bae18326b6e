import { randomBytes } from "node:crypto";
import { administratorSql } from "../../server/database/administrator-sql.ts";

/**
 * The commands of `npm run admin` for a new installation or a recovered one, which need no server.
 * @type {Record<string, { takes?: string, does: string, run: (call: unknown, given: string[], send?: unknown, environment?: Record<string, string | undefined>) => Promise<string> }>}
 */
export const installationCommands = {
  secrets: {
    does: "Print new random secrets for the settings of an installation, a line each. They are stored nowhere.",
    run: async () =>
      [
        `SECRET_KEY=${randomBytes(32).toString("base64")}`,
        ...["BACKUP_PASSPHRASE", "POSTGRES_PASSWORD", "S3_SECRET_ACCESS_KEY"].map((name) => `${name}=${password()}`),
      ].join("\n"),
  },
  "database-sql": {
    takes: "[NAME]",
    does: "Print the SQL that an administrator of PostgreSQL runs once, for a database and an ordinary user of this name.",
    async run(_call, [name = "skies"]) {
      const owner = { user: name, password: password(), database: name };
      return [
        "-- Run this once on the PostgreSQL server as an administrator, for example with psql. The password is stored nowhere.",
        `-- DATABASE_URL=postgres://${encodeURIComponent(name)}:${owner.password}@HOST:5432/${encodeURIComponent(name)}`,
        ...administratorSql(owner).map((statement) => `${statement};`),
      ].join("\n");
    },
  },
  "undelete-files": {
    does: "Bring back deleted files that the database names, from a bucket with versioning, after it was restored to an earlier time.",
    async run(_call, _given, _send, environment = {}) {
      const { reachDatabase } = await import("../../server/database/connect.ts");
      const { openPostgres } = await import("../../server/database/postgres.ts");
      const { undeleteFiles } = await import("../../server/backup/undelete-files.ts");
      const { readSettings } = await import("../../server/settings/settings.ts");
      const ofStore = Object.entries(environment).filter(([name]) => name.startsWith("S3_"));
      const { s3 } = readSettings(Object.fromEntries(ofStore));
      if (!s3) throw new Error("The files are not in a bucket: the settings S3_… name none.");
      const dataDir = environment.DATA_DIR || "./data";
      const database = await reachDatabase({ databaseUrl: environment.DATABASE_URL || undefined, dataDir });
      const db = await openPostgres(database.url);
      try {
        return `Files brought back: ${await undeleteFiles(db, s3)}.`;
      } finally {
        await db.close();
        await database.close();
      }
    },
  },
};

/** Random letters and digits, because these need no quoting in any settings file or URL. */
const password = () => randomBytes(24).toString("hex");

import { randomBytes } from "node:crypto";
import { administratorSql } from "../../server/database/administrator-sql.ts";

/**
 * The commands of `npm run admin` for a new installation, which need no server.
 * @type {Record<string, { takes?: string, does: string, run: (call: unknown, given: string[]) => Promise<string> }>}
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
};

/** Random letters and digits, because these need no quoting in any settings file or URL. */
const password = () => randomBytes(24).toString("hex");

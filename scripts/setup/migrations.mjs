import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const FOLDERS = ["server/database/migrations", "server/supabase/migrations", "db/migrations"];

/** A hash of every migration. Generated files contain it, so that stale ones are found without a database. */
export function migrationsFingerprint() {
  const hash = createHash("sha256");
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      hash.update(`${folder}/${name}\n`).update(readFileSync(join(root, folder, name)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/** The files that are generated from the migrations, by their npm scripts. */
export const GENERATED = {
  schema: { path: "db/schema.sql", comment: "--" },
  types: { path: "shared/database.ts", comment: "//" },
};

/**
 * The first line of a generated file.
 * @param {keyof typeof GENERATED} name
 */
export const headerOf = (name) =>
  `${GENERATED[name].comment} Written by \`npm run ${name}\` from the migrations (${migrationsFingerprint()}). Do not edit.\n`;

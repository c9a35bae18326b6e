import { missingBuilds, readLockfile } from "../setup/lockfile.mjs";

/** Checks that `npm ci` works on every system: the lockfile has all optional builds, and no URLs of one registry. */
export async function lockfileComplete() {
  const lockfile = readLockfile("package-lock.json");
  const missing = Object.keys(missingBuilds(lockfile));
  const wrong = missing.length > 0 ? [`  It lacks ${missing.join(", ")}. Run \`node scripts/lockfile.mjs\`.`] : [];
  const addressed = Object.entries(lockfile.packages).filter(([, entry]) => "resolved" in entry);
  if (addressed.length > 0) wrong.push(`  It names a registry for ${addressed.length} packages; see .npmrc.`);
  return { wrong: wrong.join("\n"), note: `${Object.keys(lockfile.packages).length} packages` };
}

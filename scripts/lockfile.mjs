// Run by npm after every installation: adds the entries to package-lock.json that the registry in use omitted.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingBuilds, readLockfile } from "./setup/lockfile.mjs";
import { root } from "./setup/root.mjs";

const lockfile = readLockfile("package-lock.json");
const missing = missingBuilds(lockfile);
if (Object.keys(missing).length > 0) {
  const packages = Object.entries({ ...lockfile.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, "en"));
  const complete = { ...lockfile, packages: Object.fromEntries(packages) };
  writeFileSync(join(root, "package-lock.json"), `${JSON.stringify(complete, null, 2)}\n`);
}

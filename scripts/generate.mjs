import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GENERATED, headerOf } from "./setup/migrations.mjs";
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

const name = /** @type {keyof typeof GENERATED} */ (process.argv[2] ?? "");
if (!(name in GENERATED)) {
  console.error(`Usage: node scripts/generate.mjs ${Object.keys(GENERATED).join("|")}`);
  process.exit(2);
}
await ready();
const { register } = await import("tsx/esm/api");
register();
const { generate } = await import("../db/generate/generate.ts");
const { path } = GENERATED[name];
await writeFile(join(root, path), headerOf(name) + (await generate(name)));
console.log(`${path} is up to date.`);

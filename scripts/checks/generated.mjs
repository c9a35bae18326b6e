import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED, headerOf } from "../setup/migrations.mjs";
import { root } from "../setup/root.mjs";

/**
 * Checks that generated files belong to the current migrations; `tests/policies/schema.test.ts` compares the content.
 */
export async function generated() {
  const names = /** @type {(keyof typeof GENERATED)[]} */ (Object.keys(GENERATED));
  const stale = names.filter((name) => {
    const file = join(root, GENERATED[name].path);
    return !existsSync(file) || !readFileSync(file, "utf8").startsWith(headerOf(name));
  });
  return { wrong: stale.map((name) => `  ${GENERATED[name].path} is stale. Run \`npm run ${name}\`.`).join("\n") };
}

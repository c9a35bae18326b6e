// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.
import { checks } from "./checks/all.mjs";
import { requireNode } from "./setup/node-version.mjs";
import { ensurePackages } from "./setup/packages.mjs";
import { endTogether } from "./setup/processes.mjs";

requireNode();
endTogether();
await ensurePackages();
const { failed } = await checks();
process.exit(failed > 0 ? 1 : 0);

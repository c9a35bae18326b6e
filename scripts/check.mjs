// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.
import { checks } from "./checks/all.mjs";
import { endTogether } from "./setup/processes.mjs";
import { ready } from "./setup/ready.mjs";

endTogether();
await ready();
// Arguments select checks by their names, e.g. `style` or `types`.
const { failed } = await checks(process.argv.slice(2));
process.exit(failed > 0 ? 1 : 0);

import { runCommand } from "./desk-commands.mjs";

// Commands for the running server: `npm run admin -- grant EMAIL`.
const { ok, output } = await runCommand(process.argv.slice(2), process.env);
if (ok) console.log(output);
else console.error(output);
process.exitCode = ok ? 0 : 1;

import { ready } from "./setup/ready.mjs";

await ready();
const { register } = await import("tsx/esm/api");
register();
const { runCommand } = await import("./desk-commands.mjs");

const { ok, output } = await runCommand(process.argv.slice(2), process.env);
if (ok) console.log(output);
else console.error(output);
process.exitCode = ok ? 0 : 1;

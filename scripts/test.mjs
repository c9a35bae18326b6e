// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.

import { endTogether, stopAll } from "./setup/processes.mjs";
import { prepare } from "./setup/ready.mjs";
import { readChoice, runSuites } from "./suites/all.mjs";
import { failure, printFailures } from "./suites/reports.mjs";

/** Node's exit code if nothing is left that could end the wait at the top of a module. */
const UNSETTLED = 13;
process.on("exit", (code) => {
  if (code !== UNSETTLED && process.exitCode !== UNSETTLED) return;
  console.log("The run stopped because it waited for something that cannot happen any more.");
  console.log("0 passed, 1 failed");
});

const choice = readChoice(process.argv.slice(2));
endTogether();
const { passed, failed, skipped, failures } = await prepare().then(
  () => runSuites(choice),
  (/** @type {Error} */ error) => {
    return failure(`The set-up: ${error.message}`);
  },
);
await stopAll();
printFailures(failures);
// The last line, for people and programs alike.
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed > 0 ? 1 : 0);

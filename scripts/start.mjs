// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

await ready({ built: true });
// A person in a terminal wants the address, not a line for each request.
if (process.env.NODE_ENV !== "production") process.env.LOG_LEVEL = process.env.LOG_LEVEL || "warn";
// Served by this very process: signals, exit code and `kill -9` reach the server and nothing in between.
await import(`${root}/dist/server/main.js`);

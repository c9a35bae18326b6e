// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.
import { requireFreePort } from "./setup/free-port.mjs";
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";

// First, because the installation of a fresh clone takes minutes.
await requireFreePort(process.env);
await ready({ built: true });
// In a terminal, a line for each request would hide the address.
if (process.env.NODE_ENV !== "production") process.env.LOG_LEVEL = process.env.LOG_LEVEL || "warn";
// In this process, so that signals, the exit code and `kill -9` apply to the server directly.
await import(`${root}/dist/server/main.js`);

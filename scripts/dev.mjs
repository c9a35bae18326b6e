// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.
import { join } from "node:path";
import { freePort } from "./setup/free-port.mjs";
import { endTogether, start, stopAll } from "./setup/processes.mjs";
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";
import { serving } from "./setup/serving.mjs";

endTogether();
await ready();
const webPort = process.env.PORT || "3000";
const serverPort = String(await freePort());
const address = process.env.PUBLIC_URL || `http://localhost:${webPort}`;

const server = start(
  process.execPath,
  [join(root, "node_modules/tsx/dist/cli.mjs"), "watch", "--tsconfig", "tsconfig.server.json", "server/main.ts"],
  {
    env: { ...process.env, PORT: serverPort, PUBLIC_URL: address, LOG_LEVEL: process.env.LOG_LEVEL || "warn" },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
// The web app starts after the server, so that its first page works.
await serving(`http://127.0.0.1:${serverPort}`, server);
const web = start(process.execPath, [join(root, "node_modules/vite/bin/vite.js"), "--clearScreen", "false"], {
  env: { ...process.env, VITE_PORT: webPort, SKIES_SERVER: `http://127.0.0.1:${serverPort}` },
  stdio: ["ignore", "inherit", "inherit"],
});
// When one process ends, the other one is stopped.
for (const part of [server, web]) {
  part.once("close", async (code) => {
    await stopAll();
    process.exit(code ?? 1);
  });
}

// Plain JavaScript without packages: it runs on a fresh clone, before anything is installed.
import { join } from "node:path";
import { endTogether, run, start, stopAll } from "./setup/processes.mjs";
import { ready } from "./setup/ready.mjs";
import { root } from "./setup/root.mjs";
import { serving } from "./setup/serving.mjs";

endTogether();
await ready({ built: true });
const port = process.env.PORT || "3000";
const address = `http://localhost:${port}`;
// The demonstration has its own data folder.
const dataDir = process.env.DEMO_DATA_DIR || "data-demo";
const server = start(process.execPath, ["--enable-source-maps", "dist/server/main.js"], {
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    SECRET_KEY: "",
    // In development, addresses need no confirmation, so the demonstration's people can sign in.
    NODE_ENV: "development",
    PORT: port,
    LOG_LEVEL: process.env.LOG_LEVEL || "warn",
  },
});
server.once("close", (code) => process.exit(code ?? 1));
await serving(address, server);
const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
const { code } = await run(process.execPath, [tsx, "db/seed/seed.ts", address, dataDir]);
if (code !== 0) {
  await stopAll();
  process.exit(code ?? 1);
}

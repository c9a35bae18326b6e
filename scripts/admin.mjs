import { ready } from "./setup/ready.mjs";

await ready();
const { register } = await import("tsx/esm/api");
register();
const { openSecrets } = await import("../server/secrets.ts");

/**
 * What an administrator can have the running server do.
 * @type {Record<string, { does: string, run: (call: typeof post) => Promise<string> }>}
 */
const commands = {
  "rotate-keys": {
    does: "Sign with a new key from now on. Everybody stays signed in: tokens of the old key are good until they end.",
    async run(call) {
      const { keys } = await call("/auth/v1/admin/rotate_keys");
      return `Done. ${keys.length} keys are published; the oldest go once their tokens have ended.`;
    },
  },
};

/**
 * Calls the server of this machine as the service.
 * @param {string} path
 */
async function post(path) {
  const { PORT = "3000", HOST = "127.0.0.1", DATA_DIR = "./data", SECRET_KEY } = process.env;
  const { secretKey } = await openSecrets({ dataDir: DATA_DIR, secretKey: SECRET_KEY });
  const address = `http://${HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST}:${PORT}`;
  const reply = await fetch(address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}` },
  }).catch(() => {
    throw new Error(`No server answers at ${address}. Start it first; PORT and HOST say where it is.`);
  });
  const body = await reply.json();
  if (!reply.ok) throw new Error(`The server refused: ${body.msg ?? reply.status}`);
  return body;
}

const command = commands[process.argv[2] ?? ""];
if (command) {
  await command.run(post).then(console.log, (/** @type {Error} */ error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  console.log("npm run admin -- COMMAND\n");
  for (const [name, { does }] of Object.entries(commands)) console.log(`  ${name}  ${does}`);
  process.exitCode = process.argv[2] ? 1 : 0;
}

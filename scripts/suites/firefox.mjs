#!/usr/bin/env node
// Started by Playwright in place of Firefox: starts Debian's Firefox with the same arguments, and answers itself what
// Playwright sends and this Firefox does not know yet.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";
import { findFirefox } from "./engines.mjs";

/** Firefox ESR sets no media features by command. Tests set them as preferences of its profile. */
const UNKNOWN = new Set(["emulation.setMediaFeaturesOverride"]);

const firefox = spawn(findFirefox() ?? "firefox-esr", process.argv.slice(2), {
  stdio: ["ignore", "inherit", "pipe"],
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => firefox.kill(signal));
firefox.on("exit", (code) => process.exit(code ?? 1));

for await (const line of createInterface({ input: firefox.stderr })) {
  const url = line.match(/^WebDriver BiDi listening on (ws:.*)$/)?.[1];
  process.stderr.write(`${url ? `WebDriver BiDi listening on ${await relay(url)}` : line}\n`);
}

/**
 * Relays each connection to `target`, and resolves to its own URL.
 * @param {string} target
 */
async function relay(target) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", async (client, { url }) => {
    const upstream = new WebSocket(`${target}${url}`, { maxPayload: 0, perMessageDeflate: false });
    const isOpen = once(upstream, "open");
    client.on("message", async (data) => {
      const text = String(data);
      const { id, method } = JSON.parse(text);
      await isOpen;
      if (UNKNOWN.has(method)) client.send(JSON.stringify({ type: "success", id, result: {} }));
      else upstream.send(text);
    });
    upstream.on("message", (data) => client.send(String(data)));
    client.on("close", () => upstream.close());
    upstream.on("close", () => client.close());
  });
  await once(server, "listening");
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return `ws://127.0.0.1:${address.port}`;
}

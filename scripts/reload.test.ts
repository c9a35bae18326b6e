import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { run } from "./setup/processes.mjs";

const folder = await mkdtemp(join(tmpdir(), "skies-reload-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const script = new URL("reload.mjs", import.meta.url).pathname;
const reload = (env = {}) => run(process.execPath, [script], { quiet: true, env: { DATA_DIR: folder, ...env } });
const path = join(folder, "reload.json");

/** A process that ends a reload with `outcome`, JavaScript that may store a state by `write`. */
async function serverThat(outcome: string) {
  const text = `
    const { renameSync, writeFileSync } = require("node:fs");
    const path = ${JSON.stringify(path)};
    const write = (state) => {
      writeFileSync(path + ".new", JSON.stringify({ pid: process.pid, ...state }));
      renameSync(path + ".new", path);
    };
    process.on("SIGHUP", () => { ${outcome} });
    setInterval(() => {}, 1000);
    write({ reloads: 3, error: null });
    console.log("serves");`;
  const child = spawn(process.execPath, ["-e", text], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

test("a reload fails where no server with workers runs, and sends no signal", async () => {
  const refused = { code: 1, output: expect.stringContaining("No server with workers runs here.") };
  expect(await reload()).toEqual(refused);
  const child = await serverThat("process.exit(1)");
  // Another program has the id of a server that was killed.
  expect(await reload({ MAINPID: `${process.pid}` })).toEqual(refused);
  expect(child.exitCode).toBeNull();
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  expect(await reload()).toEqual(refused);
});

test("a reload ends as the server's did: replaced, not replaced with the reason, or ended", async () => {
  const endings: [string, number, string][] = [
    ["write({ reloads: 4, error: null })", 0, "Every worker has been replaced."],
    ["write({ reloads: 4, error: 'Port taken' })", 1, "Port taken"],
    ["process.exit(1)", 1, "The server ended."],
  ];
  for (const [outcome, code, sentence] of endings) {
    await serverThat(outcome);
    expect(await reload()).toEqual({ code, output: expect.stringContaining(sentence) });
  }
});

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { ensurePromtool } from "../../scripts/setup/test-programs.mjs";
import { readSettings } from "../../server/settings/settings.ts";
import { atEnd } from "../support/at-end.ts";
import { deployed, OF_PROVIDERS } from "../support/containers.ts";
import { commandsOf } from "../support/debian.ts";

const root = new URL("../..", import.meta.url).pathname;
const run = promisify(execFile);

/** The blocks of the walk, which a drill runs wholly in an empty Debian. Here are the quick ones. */
let blocks: string[];
/** A folder that stands for `/`. */
let machine: string;
/** Folders of the machine that commands of the walk name. */
const PATHS = /(?<=^|[\s">=:])\/(?=(?:etc|run|var|srv)\/)/gm;

beforeAll(async () => {
  blocks = await commandsOf("docs/operations.md", "From an empty Debian");
  machine = await mkdtemp(join(tmpdir(), "skies-walk-"));
  atEnd(() => rm(machine, { recursive: true, force: true }));
  for (const folder of ["etc/nginx", "etc/prometheus", "run"]) await mkdir(join(machine, folder), { recursive: true });
});

/** The block of the walk that contains a text. */
function blockWith(text: string): string {
  const matches = blocks.filter((block) => block.includes(text));
  expect(matches).toHaveLength(1);
  return matches[0] ?? "";
}

/** Runs commands of the walk in the checkout, as the user of the test. */
const inMachine = (commands: string, env: Record<string, string> = {}) => {
  const script = `as_skies() { "$@"; }\n${commands.replace(PATHS, `${machine}/`)}`;
  return run("bash", ["-euo", "pipefail", "-c", script], { cwd: root, env: { ...process.env, ...env } });
};

/** The lines of a block between those that begin with these texts, with both. */
function linesOf(block: string, first: string, last: string): string {
  const lines = block.split("\n");
  const start = lines.findIndex((line) => line.startsWith(first));
  const end = lines.findIndex((line, at) => at >= start && line.startsWith(last));
  expect([start >= 0, end >= start]).toEqual([true, true]);
  return lines.slice(start, end + 1).join("\n");
}

test("every command of the walk can be parsed, and the files that it names are in the repository", async () => {
  expect(blocks.length).toBeGreaterThan(7);
  for (const block of blocks) await run("bash", ["-n", "-c", block]);
  const files = blocks.flatMap((block) => [...block.matchAll(/\bdeploy\/[\w.]+/g)].map(([file]) => file));
  expect(new Set(files)).toEqual(new Set(["deploy/skies.service", "deploy/nginx.conf", "deploy/alerts.yaml"]));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  // The documents and the package name the same commands.
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { scripts: object };
  const commands = blocks.flatMap((block) =>
    [...block.matchAll(/(?:npm run --silent|^skies) ([a-z]+)/gm)].map(([, name]) => name),
  );
  expect(new Set(commands)).toEqual(new Set(["admin", "backup", "verify"]));
  expect(commands.filter((name) => !(`${name}` in scripts))).toEqual([]);
});

test("the settings that the walk writes start a server in production", async () => {
  const { PUBLIC_URL, ...providers } = OF_PROVIDERS;
  const lines = Object.entries(providers).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(machine, "etc/skies-providers.env"), lines.join(""));
  await inMachine(linesOf(blockWith("database-sql skies"), "as_skies", "as_skies"));
  await inMachine(blockWith("/etc/skies.env <<END"), { SITE: new URL(PUBLIC_URL).hostname });
  const file = await readFile(join(machine, "etc/skies.env"), "utf8");
  const environment = Object.fromEntries(
    [...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const [, production] = /^Environment=NODE_ENV=(\w+)$/m.exec(await deployed("skies.service")) ?? [];
  expect(production).toBe("production");
  const settings = readSettings({ ...environment, NODE_ENV: production });
  expect(settings).toMatchObject({
    publicUrl: PUBLIC_URL,
    METRICS_PORT: 9464,
    BACKUP_TO: `${machine}/var/backups/skies`,
  });
  expect(settings.DATABASE_URL).toMatch(/^postgres:\/\/skies:\w+@127\.0\.0\.1.*\/skies$/);
  expect([settings.SECRET_KEY, settings.BACKUP_PASSPHRASE].every(Boolean)).toBe(true);
});

test("the proxy's configuration in the walk leads to the one server", async () => {
  await inMachine(linesOf(blockWith("deploy/nginx.conf"), "sed ", "  deploy/nginx.conf"));
  const configuration = await readFile(join(machine, "etc/nginx/nginx.conf"), "utf8");
  expect(configuration).toMatch(/^user www-data;/);
  expect(configuration.match(/^\s*server [\w.-]+:\d+/gm)?.map((line) => line.trim())).toEqual([
    "server 127.0.0.1:3000",
  ]);
  expect([...configuration.matchAll(/^ *listen (\S+?)[ ;]/gm)].map(([, port]) => port)).toEqual(["80", "443"]);
});

test("Prometheus accepts the configuration of the walk, with the rules for alerts", async () => {
  const { file, libraries } = await ensurePromtool();
  const programs = join(machine, "bin", "promtool");
  await mkdir(dirname(programs), { recursive: true });
  await writeFile(programs, `#!/bin/sh\nLD_LIBRARY_PATH="${libraries}" exec "${file}" "$@"\n`);
  await chmod(programs, 0o755);
  const { stdout } = await inMachine(linesOf(blockWith("deploy/alerts.yaml"), "install", "promtool"), {
    PATH: `${dirname(programs)}:${process.env.PATH}`,
  });
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});

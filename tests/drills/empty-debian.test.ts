import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { atEnd } from "../support/at-end.ts";
import { OF_PROVIDERS } from "../support/containers.ts";
import { commandsOf, openDebian } from "../support/debian.ts";
import { standInForSystemd } from "../support/systemd.ts";

const root = new URL("../..", import.meta.url).pathname;
const HOUR = 3_600_000;
const run = promisify(execFile);

/** A bundle of a repository with the files of this checkout. */
async function bundleOfCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skies-bundle-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 1e8,
  });
  const source = join(folder, "source");
  for (const path of stdout.split("\0").filter(Boolean)) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await cp(join(root, path), join(source, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted, and not committed yet.
      if (error.code !== "ENOENT") throw error;
    });
  }
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=Skies", "-c", "user.email=skies@example.com", ...args], { cwd: source });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all", "--force");
  await git("commit", "--quiet", "--message=Source");
  await git("bundle", "create", "../skies.bundle", "HEAD", "main");
  return join(folder, "skies.bundle");
}

test(
  "the commands of the document lead from an empty Debian to a running, backed-up and monitored site",
  async () => {
    const [values = "", ...steps] = await commandsOf("docs/operations.md", "From an empty Debian");
    expect(
      values
        .trim()
        .split("\n")
        .map((line) => line.replace(/=.*/, "")),
    ).toEqual(["export SITE", "export SOURCE"]);
    expect(steps.length).toBeGreaterThan(6);
    const machine = await openDebian();
    await standInForSystemd(machine);
    await cp(await bundleOfCheckout(), join(machine.folder, "/srv/skies.bundle"));
    // What an operator writes: the values of third parties, and whatever leads a name to a machine.
    const { PUBLIC_URL, ...providers } = OF_PROVIDERS;
    await machine.write(
      "/etc/skies-providers.env",
      Object.entries(providers)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );
    await machine.run(`export SITE=${new URL(PUBLIC_URL).hostname} SOURCE=/srv/skies.bundle`);
    const said: string[] = [];
    for (const step of steps) said.push(await machine.run(step));

    const [output, last] = [said.join("\n"), said.at(-1)];
    expect(output).toContain('"status":"ready"');
    expect(output).toMatch(/SUCCESS: \d+ rules found/);
    expect(output).toMatch(/"metric":\{"__name__":"skies_database_up"/);
    expect(last).toMatch(/^Backup .*, 0 files/m);
    expect(last).toContain("Waiting: 0 messages");
    // Only root may read the settings, and an ordinary user runs the server.
    expect(await machine.run("stat --format='%a %U' /etc/skies.env")).toBe("600 root\n");
    expect(await machine.run("ps -o user= -C node | sort -u || true")).not.toContain("root");
  },
  HOUR,
);

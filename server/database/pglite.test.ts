import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockFolder } from "./folder-lock.ts";
import { openPglite } from "./pglite.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-pglite-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("what was written is there at the next start", async () => {
  const first = await openPglite(folder);
  await first.exec("create table kept (word text); insert into kept values ('here')");
  await first.close();
  const second = await openPglite(folder);
  expect((await second.query("select word from kept")).rows).toEqual([{ word: "here" }]);
  await second.close();
});

test("a second opener of a folder is told so, and the first goes on", async () => {
  const first = await openPglite(folder);
  await expect(openPglite(folder)).rejects.toThrow("Another process is using the data folder");
  expect((await first.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await first.close();
});

test("a folder is free again as soon as the process that held it was killed", async () => {
  const script = `
    const { lockFolder } = await import(${JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href)});
    await lockFolder(${JSON.stringify(folder)});
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  await once(child.stdout, "data");
  await expect(openPglite(folder)).rejects.toThrow("Another process is using the data folder");
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  const unlock = await lockFolder(folder);
  await unlock();
});

test("a first start that was interrupted is begun anew", async () => {
  await mkdir(join(folder, "cluster.new", "base"), { recursive: true });
  const db = await openPglite(folder);
  expect((await db.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await db.close();
});

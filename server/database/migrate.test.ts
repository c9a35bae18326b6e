import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyOfMigrations, testDatabase } from "../../tests/support/database.ts";
import { type MigrationSet, migrate, tryMigrations } from "./migrate.ts";

const db = await testDatabase();
let folder: string;
let sets: MigrationSet[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-migrations-"));
  await mkdir(join(folder, "one"));
  sets = [{ name: "one", folder: join(folder, "one") }];
  await emptyOfMigrations(db, "one");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, sql: string) => writeFile(join(folder, "one", name), sql);
const tables = async () =>
  (
    await db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'one' order by 1",
    )
  ).rows.map(({ name }) => name);

test("migrations are applied in the order of their names, once", async () => {
  await write("0002_second.sql", "create table one.second (id int references one.first (id))");
  await write("0001_first.sql", "create schema one; create table one.first (id int primary key)");
  expect(await migrate(db, sets)).toEqual(["one/0001_first.sql", "one/0002_second.sql"]);
  expect(await migrate(db, sets)).toEqual([]);
});

test("a migration that fails half-way leaves what was there before, and is tried again", async () => {
  await write("0001_first.sql", "create schema one; create table one.first (id int)");
  await write("0002_broken.sql", "create table one.half (id int); select 1 / 0");
  await expect(migrate(db, sets)).rejects.toThrow("division by zero");
  expect(await tables()).toEqual(["first"]);
  await write("0002_broken.sql", "create table one.whole (id int)");
  expect(await migrate(db, sets)).toEqual(["one/0002_broken.sql"]);
  expect(await tables()).toEqual(["first", "whole"]);
});

test("a trial of migrations changes nothing, and fails like the migrations themselves", async () => {
  await write("0001_first.sql", "create schema one; create table one.first (id int)");
  expect(await tryMigrations(db, sets)).toEqual(["one/0001_first.sql"]);
  expect(await tables()).toEqual([]);
  await migrate(db, sets);
  expect(await tryMigrations(db, sets)).toEqual([]);
  await write("0002_broken.sql", "create table one.half (id int); select 1 / 0");
  await expect(tryMigrations(db, sets)).rejects.toThrow("division by zero");
  expect(await tables()).toEqual(["first"]);
});

test("a migration that has changed since it was applied is refused by its name", async () => {
  await write("0001_first.sql", "create schema one");
  await migrate(db, sets);
  await write("0001_first.sql", "create schema one; -- and more");
  await expect(migrate(db, sets)).rejects.toThrow("one/0001_first.sql has changed since it was applied");
});

test("two processes that start together apply each migration once", async () => {
  await write("0001_first.sql", "create schema one; create table one.first (id int)");
  await write("0002_second.sql", "create table one.second (id int)");
  const applied = await Promise.all([migrate(db, sets), migrate(db, sets)]);
  expect(applied.flat().sort()).toEqual(["one/0001_first.sql", "one/0002_second.sql"]);
});

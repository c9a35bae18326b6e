import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { openPostgres } from "../../../server/database/postgres.ts";
import { atEnd } from "../at-end.ts";
import { testDatabaseUrl } from "../database.ts";
import { ADA, BOB, makeLibrary } from "../library.ts";
import { type TestServer, testServer } from "../server.ts";
import { MORE, MORE_TABLES } from "./more-tables.ts";
import type { Host } from "./send.ts";
import { startPostgrest } from "./start.ts";

const ROW_TABLES = ["authors", "relatives", "passports", "books", "tags", "book_tags", "loans", ...MORE_TABLES];
const SEQUENCES = ["authors_id_seq", "books_id_seq", "loans_id_seq"];

/** The rows and the next ids, so that equal requests have equal effects. */
const STATE = `json_build_object(${[
  ...ROW_TABLES.map((name) => `'${name}', (select json_agg(r order by r::text) from ${name} r)`),
  ...SEQUENCES.map((name) => `'${name}', (select (last_value, is_called) from ${name})`),
].join(", ")})::text`;

const RESET = [
  ...ROW_TABLES.toReversed().map((name) => `delete from ${name}`),
  ...ROW_TABLES.map((name) => `insert into ${name} select * from stored.${name}`),
  ...SEQUENCES.map((name) => `perform setval('${name}', 100, true)`),
].join("; ");

/** Functions of the database, because their statements stay planned. */
const STORE = `
  create schema stored;
  ${ROW_TABLES.map((name) => `create table stored.${name} as select * from ${name} order by 1`).join(";")};
  alter table stored.things drop column total;
  create function stored.reset() returns text language plpgsql as $$
    declare before constant text := (${STATE}); begin ${RESET}; return before; end $$;
  select stored.reset();`;

/** The same library twice: behind this server, and behind PostgREST. */
export interface TwoLibraries {
  ours: Host;
  theirs: Host;
  /** Headers by caller. */
  callers: Record<string, Record<string, string>>;
  /** Restores the rows and next ids of both databases. Resolves to whether they were the same before. */
  reset(): Promise<boolean>;
}

/** Fills a database with the library, whose defaults are the same in every database. */
async function fill(db: Database, client: Parameters<typeof makeLibrary>[0]["client"]) {
  await makeLibrary({ db, client } as Parameters<typeof makeLibrary>[0]);
  await db.exec(`
    alter table books alter token set default '00000000-0000-4000-8000-000000000000';
    update books set token = ('00000000-0000-4000-8000-00000000000' || id)::uuid;
    ${MORE}
    ${STORE}
    notify pgrst, 'reload schema';
  `);
}

/** Where a server answers requests to tables and functions. */
function restOf(server: TestServer): Host {
  const { hostname, port } = new URL(server.url);
  const agent = new Agent({ keepAlive: true });
  atEnd(async () => agent.destroy());
  return { host: hostname, port, agent, prefix: "/rest/v1" };
}

const keysOf = async ({ url }: TestServer) => (await fetch(`${url}/auth/v1/.well-known/jwks.json`)).text();

/** Starts this server and PostgREST on one database; stopped at the end. */
export async function serverBesidePostgrest() {
  const url = await testDatabaseUrl();
  const db = await openPostgres(url);
  atEnd(() => db.close());
  const dataDir = await mkdtemp(join(tmpdir(), "skies-test-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const server = await testServer({}, { db, dataDir });
  const theirs = await startPostgrest({ url, jwks: await keysOf(server), maxRows: 1000 });
  return { server, ours: restOf(server), theirs };
}

/** Starts both servers, each with its own database; stopped at the end. */
export async function twoLibraries(): Promise<TwoLibraries> {
  const server = await testServer();
  const { db, sign } = server;
  const otherUrl = await testDatabaseUrl();
  const other = await openPostgres(otherUrl);
  atEnd(() => other.close());
  await fill(db, server.client);
  const isKnown = async () => (await server.client().rpc("header", { name: "accept" })).status !== 404;
  await vi.waitUntil(isKnown, { timeout: 180_000 });
  await fill(other, server.client);
  const theirs = await startPostgrest({ url: otherUrl, jwks: await keysOf(server), maxRows: 1000 });
  const bearer = async (sub: string) => ({
    authorization: `Bearer ${await sign({ role: "authenticated", sub })}`,
  });
  return {
    ours: restOf(server),
    theirs,
    callers: { visitor: {}, ada: await bearer(ADA), bob: await bearer(BOB) },
    async reset() {
      const reset = async (one: Database) =>
        (await one.query<{ state: string }>("select stored.reset() as state")).rows[0]?.state;
      const [own, their] = await Promise.all([reset(db), reset(other)]);
      return own === their;
    },
  };
}

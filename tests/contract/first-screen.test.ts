import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { buildFirstScreen } from "../../scripts/setup/prerender.mjs";
import { asCaller } from "../../server/database/as-caller.ts";
import type { FirstScreen } from "../../shared/share.ts";
import { atEnd } from "../support/at-end.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";

const folder = await mkdtemp(join(tmpdir(), "skies-screen-"));
atEnd(() => rm(folder, { recursive: true, force: true }));
await buildFirstScreen(folder);
const server = await testServer({}, undefined, { webFolder: join(folder, "web") });
const { db } = server;

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
});

const openScreen = async (headers = {}, more = {}) => {
  const { status, body } = await post(
    server,
    "open-share",
    { shareId: ada.shareId, screen: true, language: "en", ...more },
    headers,
  );
  return { status, screen: body.screen as FirstScreen | undefined };
};
const asAda = (text: string, values: unknown[] = [ada.memoryId]) =>
  asCaller(db, ada.caller, (tx) => tx.query(text, values));

/** The number of callers' statements while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const answers = vi.spyOn(db, "answer");
  await work();
  const { length } = answers.mock.calls;
  answers.mockRestore();
  return length;
}

test("a link that is opened again is answered without reading its rows again", async () => {
  let first: FirstScreen | undefined;
  expect(
    await statementsOf(async () => {
      first = (await openScreen()).screen;
    }),
  ).toBeGreaterThan(3);
  expect(first?.hero).toContain("Grandmother");
  let again: FirstScreen | undefined;
  expect(
    await statementsOf(async () => {
      again = (await openScreen()).screen;
    }),
  ).toBe(0);
  expect(again).toEqual(first);
});

test("twenty visitors who open a link at once share one reading", async () => {
  await openScreen();
  await asAda("update memories set person_name = 'Nonna' where id = $1");
  const alone = await statementsOf(async () => void (await openScreen()));
  await asAda("update memories set person_name = 'Grandma' where id = $1");
  const together = await statementsOf(() => Promise.all(Array.from({ length: 20 }, () => openScreen())));
  expect(together).toBe(alone);
});

test.each([
  ["the name", "update memories set person_name = 'Nonna' where id = $1"],
  ["a story", "insert into stories (memory_id, title, body) values ($1, 'The bakery', '<p>Bread</p>')"],
  ["an entry", "insert into memory_entries (memory_id, title, on_date) values ($1, 'Moved to Turin', '1962')"],
  ["the reveal", "insert into reveals (memory_id) values ($1)"],
  ["a comment", "insert into comments (memory_id, body) values ($1, 'We miss you')"],
])("after a change of %s, the next visitor gets the new screen", async (_what, change) => {
  const before = (await openScreen()).screen;
  await asAda(change);
  const { screen } = await openScreen();
  expect(screen).toBeDefined();
  expect(screen?.answers).not.toEqual(before?.answers);
});

test("a changed or revoked link gives no earlier screen", async () => {
  const download = (screen: FirstScreen | undefined) => JSON.stringify(screen?.answers).match(/"download":(\w+)/)?.[1];
  expect(download((await openScreen()).screen)).toBe("true");
  await asAda("update share_links set allows_download = false where id = $1", [ada.linkId]);
  expect(download((await openScreen()).screen)).toBe("false");
  await asAda("update share_links set revoked_at = now() where id = $1", [ada.linkId]);
  expect(await openScreen()).toEqual({ status: 410, screen: undefined });
});

test("a signed-in person gets a screen of their own", async () => {
  const visitor = (await openScreen()).screen;
  const owner = (await openScreen({ authorization: `Bearer ${ada.token}` })).screen;
  const role = (screen: FirstScreen | undefined) => JSON.stringify(screen?.answers).match(/"role":"(\w+)"/)?.[1];
  expect([role(visitor), role(owner), role((await openScreen()).screen)]).toEqual(["visitor", "owner", "visitor"]);
});

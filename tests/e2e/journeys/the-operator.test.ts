import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { run } from "../../../scripts/setup/processes.mjs";
import { CARD_NUMBERS } from "../../support/card-numbers.ts";
import { layLine } from "../../support/cuttable-line.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { largeFile } from "../../support/files-to-upload.ts";
import { memoryWith } from "../../support/gallery.ts";
import { register } from "../../support/journey.ts";
import { checkoutRequests } from "../../support/payments.ts";
import { photoPaths } from "../../support/photos.ts";
import { startProduct } from "../../support/product-server.ts";
import { codeOf } from "../../support/second-factor.ts";
import { textsIn } from "../../support/texts.ts";

const say = textsIn("en");
const OPERATOR = { name: "Olga Marsh", email: "olga@example.com", password: "a lamp in the hallway" };
const VIDEO_BYTES = 14_000_000;

// A separate server, so that it is empty.
test.use({ settings: { MAIL_INFO: "info@skies.example" } });

/** Runs a script of the package on an installation. Resolves to its output. */
async function command(installation: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), ...installation };
  const { code, output } = await run(process.execPath, args, { quiet: true, env });
  expect(code, output).toBe(0);
  return output;
}

const pressOn = (page: Page) => (text: string, values?: Record<string, unknown>) =>
  page.getByRole("button", { name: say(text, values), exact: true }).click();

test("an operator of an empty server sells a card, publishes a post and decides on a report from a phone, restarts during an upload, and restores a backup", {
  tag: "@long",
}, async ({ visit, person, server, expectedErrors }) => {
  // The desk before she has the role, repeated requests after a session has ended, and the interrupted connection.
  expectedErrors.push(/status of (40[0134]|409|50[234])/, /net::ERR_|WebSocket|Failed to fetch/);
  const here = { DATABASE_URL: "", DATA_DIR: "", PORT: new URL(server.url).port };
  await server.change(async (db, dataDir) => void Object.assign(here, { DATABASE_URL: db.url, DATA_DIR: dataDir }));

  // The first administrator: a normal account, a command on the machine, and an authenticator app.
  const desk = await visit(PHONE);
  const press = pressOn(desk);
  await register(desk, say, OPERATOR);
  expect(await command(here, "scripts/admin.mjs", "grant", OPERATOR.email)).toContain("has the role admin");
  // The new role has ended her session, which the page notices.
  await desk.reload();
  await expect(desk).toHaveURL(/login/);
  await desk.getByLabel(say("account:email")).fill(OPERATOR.email);
  await desk.getByLabel(say("account:password"), { exact: true }).fill(OPERATOR.password);
  await press("account:login.submit");
  await expect(desk).not.toHaveURL(/login/);
  await desk.goto("/admin");
  await expect(desk.getByRole("heading", { name: say("layout:notFound.title") })).toBeVisible();
  await desk.goto("/profile#factors");
  await press("profile:factors.addTotp");
  const key = desk.locator("[data-key]");
  await expect(key).not.toBeEmpty();
  await desk.getByLabel(say("account:code")).fill(codeOf(((await key.textContent()) ?? "").replaceAll(/\s/g, "")));
  await press("profile:factors.confirm");
  await expect(desk.getByText(say("profile:factors.added"), { exact: true })).toBeVisible();

  // A voucher, and a post that a visitor reads.
  await desk.goto("/admin/catalogue");
  await press("adminCatalogue:newVoucher");
  await desk.getByLabel(say("adminCatalogue:code"), { exact: true }).fill("OPENING");
  await desk.getByLabel(say("adminCatalogue:percentage")).fill("20");
  await press("adminCatalogue:save");
  await expect(desk.getByRole("button", { name: "OPENING", exact: true })).toBeVisible();
  await desk.goto("/admin/blog/_new");
  const field = (name: string) => desk.getByRole("textbox", { name: say(`adminBlog:fields.${name}`), exact: true });
  await field("title").fill("We are open");
  await field("summary").fill("What this site is for.");
  await field("body").click();
  await desk.keyboard.type("Bring your photos.");
  await press("adminBlog:steps.publish");
  await expect(desk.getByText(say("adminBlog:states.published"), { exact: true }).first()).toBeVisible();
  const visitor = await visit(PHONE);
  await expect(async () => {
    await visitor.goto("/blog/we-are-open");
    await expect(visitor.getByText("Bring your photos.")).toBeVisible({ timeout: 1000 });
  }).toPass();

  // A card is bought with the voucher, engraved and sent.
  const ada = await person("Ada Rossi", { plan: "skies-memories" });
  const engraving = { name: "Rosa Bellini", dates: "1931 – 2019", finish: "steel", language: "en" };
  const session = await checkoutRequests(server).sessionFor(
    ada,
    [{ product_id: "metal-card", quantity: 1, currency: "GBP", item: { engraving } }],
    { voucher_code: "opening" },
  );
  const line = await layLine(server.url);
  const hers = await visit({ ...PHONE, as: ada });
  await hers.goto(`/sandbox/payments/pay/${session}`);
  const address = { name: "Ada Rossi", line1: "1 High Street", postal_code: "BA1 1AA", city: "Bath" };
  for (const [name, text] of Object.entries(address)) await hers.locator(`[name=${name}]`).fill(text);
  await hers.getByLabel("Card number").fill(CARD_NUMBERS.pays);
  await hers.getByRole("button", { name: "Pay £20.00" }).click();
  await expect(hers.getByRole("heading", { name: say("cart:success.paid.title") })).toBeVisible();
  await desk.goto("/admin/cards");
  const column = (name: string) =>
    desk.getByRole("region", { name: new RegExp(`^${say(`adminCards:columns.${name}`)}`) });
  await column("ordered").getByRole("checkbox").check();
  const pack = desk.waitForEvent("download");
  await press("adminCards:pack", { count: 1 });
  expect((await pack).suggestedFilename()).toMatch(/^skies-cards-SK-.*\.zip$/);
  await column("engraved")
    .getByRole("button", { name: /^Move card/ })
    .press("ArrowRight");
  await desk.getByLabel(say("adminCards:sending.carrier")).fill("Royal Mail");
  await press("adminCards:sending.submit");
  await expect(column("sent").getByText("Royal Mail")).toBeVisible();

  // A visitor reports a comment in a memory. The operator hides it without having seen the memory.
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  await ada.client.from("comments").insert({ memory_id: memory.id, body: "You never called him." }).throwOnError();
  await visitor.goto(`/shared/${memory.share_id}`);
  const comment = visitor.getByRole("listitem").filter({ hasText: "You never called him." });
  await comment.getByRole("button", { name: say("comments:read.more", { name: "Ada Rossi" }) }).click();
  await visitor.getByRole("menuitem", { name: say("reports:item") }).click();
  await pressOn(visitor)("reports:submit");
  await expect(visitor.getByText(say("reports:sentTitle"))).toBeVisible();
  await desk.goto("/admin/inbox");
  await desk.getByRole("link", { name: say("reports:reasons.hurtful") }).click();
  await press("adminInbox:decisions.hide.open");
  await desk.getByRole("dialog").getByLabel(say("adminInbox:reason")).fill("It insults his brother");
  await desk
    .getByRole("dialog")
    .getByRole("button", { name: say("adminInbox:decisions.hide.open") })
    .click();
  await expect(desk.getByText(say("adminInbox:outcomes.acted"))).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
  await expect(visitor.getByText("You never called him.")).toHaveCount(0);

  // The server is upgraded during an upload, which only takes longer.
  const video = await largeFile("first-steps.mp4", VIDEO_BYTES);
  const uploading = await visit({ ...PHONE, as: ada, at: line.url });
  await uploading.goto(`/memory/${memory.id}`);
  await expect(uploading.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();
  const underWay = line.cutAfter(VIDEO_BYTES / 2);
  await uploading.locator("input[type=file]").first().setInputFiles(video.path);
  await underWay;
  await server.restart({ meanwhile: async () => line.mend() });
  const stored = () => ada.client.from("media").select("size").eq("memory_id", memory.id).eq("type", "video");
  await expect.poll(async () => (await stored()).data, { timeout: 180_000 }).toEqual([{ size: VIDEO_BYTES }]);
  expect(line.sent()).toBeLessThan(1.6 * VIDEO_BYTES);

  // A backup is restored on another machine, with a key that was copied separately. Everything is there, and people
  // sign in as before.
  const folder = await mkdtemp(join(tmpdir(), "skies-operator-"));
  expect(await command(here, "scripts/backup.mjs", "backup", folder)).toMatch(/Backup .*, 2 files/);
  const elsewhere = await startProduct({}, async (there) => {
    await cp(join(here.DATA_DIR, "secret.key"), join(there.DATA_DIR, "secret.key"));
    expect(await command(there, "scripts/backup.mjs", "restore", folder)).toContain("is restored");
  });
  try {
    const restored = await visit({ ...PHONE, at: elsewhere.url });
    await restored.goto("/blog/we-are-open");
    await expect(restored.getByText("Bring your photos.")).toBeVisible();
    await restored.goto("/login");
    await restored.getByLabel(say("account:email")).fill(ada.email);
    await restored.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
    await pressOn(restored)("account:login.submit");
    await expect(restored).not.toHaveURL(/login/);
    await restored.goto(`/memory/${memory.id}`);
    const tile = restored.locator("li[data-photo]").first();
    await tile.scrollIntoViewIfNeeded();
    await expect(tile).toHaveAttribute("aria-setsize", "2");
    await expect(tile.locator("img").last()).not.toHaveJSProperty("naturalWidth", 0);
    await restored.close();
  } finally {
    await elsewhere.close();
  }
  await line.close();
  await video.remove();
  await rm(folder, { recursive: true });
});

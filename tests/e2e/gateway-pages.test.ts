import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { sha256Of } from "../support/files-to-upload.ts";
import { memoryWith } from "../support/gallery.ts";
import { startGateway } from "../support/gateway.ts";
import { backgroundSync, cacheEntries, expectKept, storedKeys } from "../support/offline.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
/** Of a hotel's network, and of a filter at work; with words that answers of the server contain, too. */
const PAGES = [
  {
    status: 200,
    html: "<!doctype html><title>Wi-Fi</title><h1>Welcome</h1><p>This device already exists. JWT mime duplicate</p>",
  },
  { status: 403, html: "<html><body><h1>Blocked: category “memorial”</h1></body></html>" },
  { status: 404, html: "\n<!DOCTYPE html><html><body><h1>Not here</h1></body></html>" },
];

test.use({ serviceWorkers: "allow" });

const heading = (page: Page, name = "Rosa Bellini") => page.getByRole("heading", { level: 1, name, exact: true });
const waiting = async (page: Page) =>
  (await storedKeys(page)).filter((key) => key.includes("skies-outbox writes")).length;

async function comment(page: Page, text: string) {
  await page.getByLabel(say("comments:write.label")).fill(text);
  await page.getByRole("button", { name: say("comments:write.send"), exact: true }).click();
}

test("what a guest writes in a network that answers with pages of its own arrives later, and what the phone keeps stays", async ({
  server,
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/./);
  const gateway = await startGateway(server.url);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg"));
  const link = await newRow(ada.client, "share_links", { memory_id: rosa.id, rights: "comment" }, "id", "share_id");
  const comments = async () => {
    const { data } = await ada.client.from("comments").select("body").eq("memory_id", rosa.id).order("created_at");
    return data?.map(({ body }) => body);
  };
  const page = await visit({ ...PHONE, at: gateway.url });
  await page.goto(`/shared/${link.share_id}`);
  await comment(page, "I was there.");
  await page.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Ugo");
  await page.keyboard.press("Enter");
  await expect.poll(comments).toEqual(["I was there."]);
  await expectKept(page, 1);
  const kept = await cacheEntries(page);

  const written = ["I was there."];
  for (const answer of PAGES) {
    gateway.answer(answer);
    const text = `Behind ${answer.status}`;
    await comment(page, text);
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByText(say("comments:write.waiting"))).toBeVisible();
    await expect.poll(() => waiting(page)).toBe(1);
    // Another page of the site is what the gateway sends.
    const other = await page.context().newPage();
    await other.goto("/about");
    await expect(other.getByRole("heading", { level: 1 })).not.toHaveText(/Skies/);
    const before = gateway.answered();
    await backgroundSync(other);
    await expect.poll(() => gateway.answered()).toBeGreaterThan(before);
    await other.close();
    expect(await waiting(page)).toBe(1);
    expect(await cacheEntries(page)).toEqual(expect.arrayContaining(kept));
    gateway.answer(undefined);
    written.push(text);
    await page.evaluate(() => void dispatchEvent(new Event("online")));
    await expect.poll(comments).toEqual(written);
    await expect.poll(() => waiting(page)).toBe(0);
    await expect(heading(page)).toBeVisible();
  }
  await gateway.close();
});

test("a photo that is added in such a network is not taken for stored, and arrives whole", async ({
  server,
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/./);
  const gateway = await startGateway(server.url);
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const page = await visit({ as: ada, at: gateway.url });
  await page.goto(`/memory/${memory.id}`);
  await expect(heading(page, "Rosa")).toBeVisible();
  const stored = async () => {
    const { data } = await ada.client.from("media").select("object_name,content_hash").eq("memory_id", memory.id);
    return data?.map(({ content_hash }) => content_hash) ?? [];
  };
  const hashes: string[] = [];
  for (const [at, name] of ["canon.jpg", "kodak-1998.jpg", "landscape-orientation-1.jpg"].entries()) {
    gateway.answer(PAGES[at]);
    const [path = ""] = await photoPaths(name);
    await page.locator("input[type=file]").first().setInputFiles(path);
    await expect.poll(() => gateway.answered()).toBeGreaterThan(1);
    gateway.answer(undefined);
    hashes.push(await sha256Of(path));
    await expect.poll(async () => (await stored()).sort()).toEqual(hashes.toSorted());
  }
  await gateway.close();
});

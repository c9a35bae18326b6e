import type { Page } from "@playwright/test";
import { cardsOf, paidOrder } from "../support/cards.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { enterPin } from "../support/journey.ts";
import { multiplyPhotos } from "../support/many-photos.ts";
import { brokenPictures, cacheEntries, expectKept, privateEntries, usedBytes } from "../support/offline.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const MB = 1024 ** 2;

/** What the browser and the data client report of requests without a network, and of pictures that are not kept. */
const WITHOUT_NETWORK = [
  /ERR_INTERNET_DISCONNECTED/,
  /WebSocket/,
  /Failed to fetch/,
  /render\/image\/sign.*ERR_FAILED/,
];

test.use({ serviceWorkers: "allow" });

const heading = (page: Page, name = "Rosa Bellini") => page.getByRole("heading", { level: 1, name, exact: true });
const firstDigit = (page: Page) => page.getByLabel(say("shareGate:pin.digit", { number: 1 }));

/** Opens a page without a network. */
async function openOffline(page: Page, path: string) {
  await page.context().setOffline(true);
  await page.goto(path);
  await expect(heading(page)).toBeVisible();
}

/** The app without anything private. */
const APP = ["cache skies-app", "cache skies-app /config.json", "cache skies-app /memory/offline"];

test("an opened link can be read without a network; the end of its PIN, of the device and of the link leave nothing", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(...WITHOUT_NETWORK, /status of 40[14]/);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  await ada.client
    .from("stories")
    .insert({ memory_id: rosa.id, title: "The bakery", body: "<p>She rose at four.</p>" });
  const { data: link } = await ada.client.from("share_links").select("id").eq("memory_id", rosa.id).single();
  const setPin = (pin: string) => ada.client.functions.invoke("share-pin", { body: { linkId: link?.id, pin } });
  const names = { LINK: link?.id, ROSA: rosa.id, SHARE: rosa.share_id };
  await setPin("0417");

  const page = await visit(PHONE);
  await page.goto(`/shared/${rosa.share_id}`);
  // Nothing is kept before a person may read the page.
  await expect(firstDigit(page)).toBeVisible();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  expect(await cacheEntries(page, names)).toEqual([]);
  const { headers } = await fetch(new URL("/sw.js", page.url()));
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-type")).toMatch(/javascript/);
  await enterPin(page, say, "0417");
  await expect(heading(page)).toBeVisible();
  await toGallery(page);
  await expectKept(page, 2);
  const COPIES = "cache skies-copies-link-SHARE";
  const copies = ["", "/contact", "/pages/ROSA", "/pictures/media/ROSA/PICTURE", "/session"].map((part) =>
    part ? `${COPIES} /offline/skies-copies-link-SHARE${part}` : COPIES,
  );
  const opened = [...APP, ...copies, `${COPIES} /offline/owners/LINK`, "tab skies-share-SHARE"].sort();
  await expect.poll(() => cacheEntries(page, names)).toEqual(opened);

  await openOffline(page, `/shared/${rosa.share_id}`);
  await expect(page.getByText("She rose at four.")).toBeVisible();
  await toGallery(page);
  await expect(tiles(page)).toHaveCount(2);
  await expect.poll(() => brokenPictures(page)).toEqual([]);
  await tiles(page).first().getByRole("link").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect.poll(() => brokenPictures(page)).toEqual([]);

  // Other pages say so, and list what can be read.
  await page.goto("/about");
  await expect(heading(page, say("offline:title"))).toBeVisible();
  await page.getByRole("link", { name: /Rosa Bellini/ }).click();
  await expect(heading(page)).toBeVisible();

  await setPin("5823");
  await page.context().setOffline(false);
  await expect(firstDigit(page)).toBeVisible();
  await expect.poll(() => cacheEntries(page, names)).toEqual(APP);

  await enterPin(page, say, "5823");
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 2);
  await page.getByRole("button", { name: say("shareGate:device.forget") }).click();
  await page.getByRole("button", { name: say("shareGate:device.confirm"), exact: true }).click();
  await expect(firstDigit(page)).toBeVisible();
  await expect.poll(() => cacheEntries(page, names)).toEqual(APP);

  // The link ends while no page is open. Another page of the site is opened first.
  await enterPin(page, say, "5823");
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 2);
  await page.goto("about:blank");
  await ada.client.from("share_links").update({ revoked_at: "now" }).eq("memory_id", rosa.id).throwOnError();
  await page.goto("/about");
  // The tab's own token opens nothing any more.
  await expect.poll(() => cacheEntries(page, names)).toEqual([...APP, "tab skies-share-SHARE"]);
});

test("a member reads without a network; a photo or memory that was deleted does not stay", { tag: "@sample" }, async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(...WITHOUT_NETWORK);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  const page = await visit({ as: ada, ...PHONE });
  await page.goto(`/memory/${rosa.id}`);
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 2);
  for (const entry of await privateEntries(page)) expect(entry).toContain(ada.id);

  await openOffline(page, `/memory/${rosa.id}`);
  await expect.poll(() => brokenPictures(page)).toEqual([]);
  // A session that has expired meanwhile does not matter.
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem("skies-session") ?? "{}");
    localStorage.setItem("skies-session", JSON.stringify({ ...session, expires_at: 1 }));
  });
  await page.reload();
  await expect(heading(page)).toBeVisible();
  await page.goto("/memory/11111111-1111-4111-8111-111111111111");
  await expect(heading(page, say("offline:missingTitle"))).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Rosa Bellini/ })).toBeVisible();

  // The page opens by itself. Then a photo is deleted, and the memory.
  await page.context().setOffline(false);
  await expect(heading(page, say("offline:title"))).toBeHidden();
  const { data: photo } = await ada.client
    .from("media")
    .select("id,object_name")
    .eq("memory_id", rosa.id)
    .eq("is_cover", false)
    .limit(1)
    .single();
  const picturesOf = async (name: string) => (await privateEntries(page)).filter((entry) => entry.includes(name));
  expect(await picturesOf(photo?.object_name)).not.toEqual([]);
  expect((await ada.client.storage.from("media").remove([photo?.object_name])).error).toBeNull();
  await page
    .getByRole("link", { name: /Rosa Bellini/ })
    .first()
    .click();
  await expect(heading(page)).toBeVisible();
  await expect.poll(() => picturesOf(photo?.object_name)).toEqual([]);
  expect(await picturesOf(rosa.id)).not.toEqual([]);
  await ada.client.from("memories").delete().eq("id", rosa.id).throwOnError();
  await expect(heading(page, say("memories:page.missingTitle"))).toBeVisible();
  await expect.poll(() => picturesOf(rosa.id)).toEqual([]);
});

test("nothing of an account stays after it has signed out, was suspended, lost the device, or for 30 days without contact; a second account reads nothing", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(
    ...WITHOUT_NETWORK,
    /status of 40[013]/,
    /Refresh Token|Auth session missing|Unable to subscribe/,
  );
  const page = await visit(PHONE);
  /** Signs a new person in, without a sign-out of the one before, and opens their memory. */
  async function arrive(name: string) {
    const who = await person(name);
    const { id } = await memoryWith(who, await photoPaths("canon.jpg"), { person_name: `Mother of ${name}` });
    await page.goto("/about");
    const session = (await who.client.auth.getSession()).data.session;
    await page.evaluate((text) => localStorage.setItem("skies-session", text), JSON.stringify(session));
    await page.goto(`/memory/${id}`);
    await expect(heading(page, `Mother of ${name}`)).toBeVisible();
    await expectKept(page, 1);
    // Nothing of the person before: every entry names this account.
    await expect.poll(async () => (await privateEntries(page)).filter((entry) => !entry.includes(who.id))).toEqual([]);
    const names = { ME: who.id, MEMORY: id };
    const copies = ["/contact", "/pages/MEMORY", "/pictures/media/MEMORY/PICTURE"];
    const COPIES = "cache skies-copies-person-ME";
    const entries = copies.map((part) => `${COPIES} /offline/skies-copies-person-ME${part}`);
    await expect
      .poll(async () => (await cacheEntries(page, names)).filter((key) => key.startsWith("cache skies-copies")))
      .toEqual([COPIES, `${COPIES} /offline/owners/ME`, ...entries].sort());
    return { ...who, memoryId: id, names };
  }
  const MEMBER = [...APP, "cache skies-app /offline/member"].sort();
  const nothingOf = async (names: Record<string, string>) => {
    // The app loads first; the prerendered page is no contact with the account.
    await expect.poll(() => privateEntries(page)).toEqual([]);
    await expect.poll(() => cacheEntries(page, names)).not.toContain("local skies-session");
    expect((await cacheEntries(page, names)).filter((key) => /ME|MEMORY/.test(key))).toEqual([]);
    expect((await cacheEntries(page, names)).filter((key) => key.startsWith("cache"))).toEqual(MEMBER);
  };

  const suspended = await arrive("Bea");
  await server.service().rpc("suspend_person", { whom: suspended.id, reason: "Abuse" }).throwOnError();
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await nothingOf(suspended.names);

  const lost = await arrive("Cleo");
  // From the list of devices, on another one.
  const { data: session } = await lost.client.auth.getClaims();
  const other = server.client();
  await other.auth.signInWithPassword({ email: lost.email, password: lost.password });
  await other.rpc("end_session", { session_id: session?.claims.session_id }).throwOnError();
  await page.goto("/");
  await nothingOf(lost.names);

  const ada = await arrive("Ada");
  await page.goto("/dashboard");
  await page.getByRole("button", { name: say("layout:menu"), exact: true }).click();
  await page.getByRole("menuitem", { name: say("layout:signOut") }).click();
  await expect(page).toHaveURL(/\/login$/);
  await nothingOf(ada.names);

  const away = await arrive("Dina");
  // Another account takes over without a sign-out, and comes back after a month without contact.
  const eva = await arrive("Eva");
  expect((await cacheEntries(page, away.names)).filter((key) => /ME|MEMORY/.test(key))).toEqual([]);
  await page.context().setOffline(true);
  await page.clock.install();
  await page.clock.setSystemTime(Date.now() + 29 * 86_400_000);
  await page.goto(`/memory/${eva.memoryId}`);
  await expect(heading(page, "Mother of Eva")).toBeVisible();
  await page.clock.setSystemTime(Date.now() + 31 * 86_400_000);
  await page.goto(`/memory/${eva.memoryId}`);
  await expect(heading(page, say("offline:missingTitle"))).toBeVisible();
  await expect.poll(() => privateEntries(page)).toEqual([]);
});

test("an engraved card opens without a network; the copy of 60 photos has at most 12 MB, which the person sees and sets", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(...WITHOUT_NETWORK);
  const ada = await person("Ada Rossi", { plan: "skies-memories" });
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  let code = "";
  await server.change(async (db, dataDir) => {
    await multiplyPhotos(db, dataDir, rosa.id, 60);
    const engraving = { name: "Rosa Bellini", finish: "steel", language: "en", memory_id: rosa.id };
    const order = await paidOrder(db, ada.id, { cards: { quantity: 1, engraving } });
    code = (await cardsOf(db, order.id))[0]?.code ?? "";
    await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
  });
  const page = await visit(PHONE);
  await page.goto(`/C/${code}`);
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 13);
  const opened = page.url();
  expect((await usedBytes(page)).all).toBeLessThanOrEqual(12 * MB);
  // What keeping adds to the visit: the service worker, and the app's files that the page has not loaded itself. The
  // lightbox is one that a reader loads with the first photo.
  const extra = await page.evaluate(async () => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    const names = (await caches.keys()).filter((name) => name.startsWith("skies-app-"));
    const stored = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const paths = stored.flat().map(({ url }) => new URL(url).pathname);
    return paths.filter((path) => path.endsWith(".js") && !loaded.includes(path) && !path.includes("/Lightbox-"));
  });
  const ask = { headers: { "accept-encoding": "br" } };
  const bytes = [...extra, "/sw.js"].map(async (path) => {
    const { headers } = await fetch(new URL(path, opened), ask);
    return Number(headers.get("content-length"));
  });
  const added = await Promise.all(bytes);
  expect(added.every((size) => size > 0)).toBe(true);
  expect(added.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(15 * 1024);
  await openOffline(page, `/C/${code}`);
  await expect(page).toHaveURL(opened);

  await page.context().setOffline(false);
  await page.goto(opened);
  await page.getByText(say("offline:linkText")).click();
  await expect(page.getByText(/Offline copies use .* of at most 200\sMB/)).toBeVisible();
  await page.getByLabel(say("offline:limit")).selectOption(say("offline:off"));
  await expect(page.getByText(say("offline:nothing"))).toBeVisible();
  expect(await privateEntries(page)).toEqual([]);
  await page.reload();
  await expect(heading(page)).toBeVisible();
  await expect(page.getByText(say("offline:linkText"))).toBeVisible();
  expect(await privateEntries(page)).toEqual([]);
});

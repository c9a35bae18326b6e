import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { sampled } from "../support/long-tests.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const HOUR_MS = 3_600_000;

test("Spec §4: a sign-out in one tab opens the start page in the others, and the navigation's own opens /login", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // Requests and live channels may begin just before the session ends, and are refused just after.
  expectedErrors.push(/status of 401|Unable to subscribe to changes/);
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  const other = await page.context().newPage();
  await page.goto("/dashboard");
  await other.goto("/profile");
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(page).toHaveURL("/login");
  await expect(other).toHaveURL("/");
  await expect(other.getByText("Your Private Memory Portal").first()).toBeVisible();
  // Nobody's session has expired.
  await expect(page.getByText("Session expired. Please sign in again.")).toHaveCount(0);
});

test("Spec §4: a tab that learns of the session's end before the sign-out opens the start page as well", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401|Unable to subscribe to changes/);
  const page = await visit({ as: await person("Ada") });
  const other = await page.context().newPage();
  // The news of the sign-out is held back.
  await other.addInitScript(() =>
    addEventListener("storage", (event) => {
      if (event.key !== "signing_out" || !event.isTrusted) return;
      event.stopImmediatePropagation();
      Object.assign(window, { news: event.newValue });
    }),
  );
  await page.goto("/dashboard");
  await other.goto("/profile");
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(other.getByText("Please sign in to see this page")).toBeVisible();
  await other.evaluate(() => {
    const newValue = (window as unknown as { news: string }).news;
    dispatchEvent(new StorageEvent("storage", { key: "signing_out", newValue }));
  });
  await expect(other).toHaveURL("/");
});

test("Spec §8: a session that has expired is named on /login", async ({ visit, person, expectedErrors }) => {
  const say = textsIn("it");
  expectedErrors.push(/status of 400|Invalid Refresh Token/);
  const page = await visit({ as: await person("Ada"), language: "it" });
  // The token has expired and cannot be renewed.
  await page.addInitScript(() => {
    const stored = localStorage.getItem("skies-session");
    if (!stored) return;
    const ended = { ...JSON.parse(stored), expires_at: 1, refresh_token: "unknown" };
    localStorage.setItem("skies-session", JSON.stringify(ended));
  });
  await page.goto("/profile");
  await page
    .getByRole("main")
    .getByRole("link", { name: say("layout:fallback.signIn") })
    .click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByText(say("account:login.expired"), { exact: true })).toBeVisible();
});

/** The number of files that this browser has stored in order to send them. */
const unsent = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("skies-uploads");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const count = opening.result.transaction("records").objectStore("records").count();
          count.onsuccess = () => resolve(count.result);
        };
      }),
  );

test("photos that a session's end interrupts are sent after the sign-in; signing out deletes them from the device", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of (40[0134])|Invalid Refresh Token|net::ERR_FAILED|Unable to subscribe to changes/);
  const say = textsIn("en");
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { person_name: "Rosa" });
  const page = await visit({ as: ada });
  const uploads = /\/upload\/resumable/;
  await page.route(uploads, (route) => route.abort());
  await page.goto(`/memory/${id}`);
  const choose = async (...files: Awaited<ReturnType<typeof noise>>[]) =>
    page.locator("input[type=file][multiple]").first().setInputFiles(files.flat());
  await choose(await noise("photo-1.jpg"), await noise("photo-2.jpg"));
  await expect.poll(() => unsent(page)).toBe(2);

  // The server ends the session, and the page learns of it by its next request.
  await server.change((db) => db.query("delete from auth.sessions where user_id = $1", [ada.id]));
  await page.reload();
  await expect(page.getByText("Session expired. Please sign in again.")).toBeVisible();
  expect(await unsent(page)).toBe(2);
  await page.unroute(uploads);
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(page).toHaveURL(`/memory/${id}`);
  await expect.poll(() => unsent(page)).toBe(0);
  await expect(page.getByRole("heading", { name: "Photos2" })).toBeVisible();

  await page.route(uploads, (route) => route.abort());
  await choose(await noise("photo-3.jpg"));
  await expect.poll(() => unsent(page)).toBe(1);
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(page).toHaveURL("/login");
  await expect.poll(() => unsent(page)).toBe(0);
});

/** Refuses every storage, as a browser does whose settings block website data. */
const blockStorage = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    }
    Object.defineProperty(window, "indexedDB", { value: undefined });
  });

test("a person whose browser stores nothing is told before the sign-in, and can use the site until it is reloaded", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  await newMemory(ada.client, { person_name: "Rosa" });
  const page = await visit();
  await blockStorage(page);
  await page.goto("/login");
  await expect(page.getByText(say("account:storageBlocked"))).toBeVisible();
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await page.getByRole("link", { name: /Rosa/ }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
});

test("a visitor whose browser stores nothing is told at the gate, and opens a link by its PIN", async ({
  visit,
  person,
}) => {
  const { client } = await person("Ada");
  const { id, share_id } = await newMemory(client, { person_name: "Rosa" });
  const link = await client.from("share_links").select("id").eq("memory_id", id).single().throwOnError();
  await client.functions.invoke("share-pin", { body: { linkId: link.data.id, pin: "4821" } });
  const page = await visit();
  await blockStorage(page);
  await page.goto(`/shared/${share_id}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const notice = page.getByText(textsIn("en")("shareEnd:storageBlocked"));
  await expect(notice).toBeVisible();
  await page.keyboard.type("4821");
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  await expect(notice).toBeVisible();
  await expect(page.getByText(textsIn("en")("shareEnd:deviceStays"))).toBeHidden();
});

test("a sign-out that was broken off, because its tab was closed, keeps nobody out", async ({ visit, person }) => {
  const page = await visit({ as: await person("Ada") });
  await page.addInitScript(() => localStorage.setItem("signing_out", "1"));
  await page.goto("/dashboard");
  await expect(page.getByRole("button", { name: "Sign out" }).first()).toBeVisible();
});

test("a device whose clock is a day or two months wrong stays signed in, and opens a link that has not expired", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const ends = new Date(Date.now() + 2 * HOUR_MS).toISOString();
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, expires_at: ends }, "share_id");
  for (const hours of sampled([26, -26, 24 * 60], 2)) {
    const time = Date.now() + hours * HOUR_MS;
    const page = await visit();
    await page.clock.install({ time });
    const renewals: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("grant_type=refresh_token")) renewals.push(request.url());
    });
    await page.goto("/login");
    await page.getByLabel(say("account:email")).fill(ada.email);
    await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
    await page.getByLabel(say("account:password"), { exact: true }).press("Enter");
    await expect(page.getByRole("link", { name: "Rosa" }).first()).toBeVisible();
    for (const path of [`/memory/${memory.id}`, "/profile"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
    }
    expect(renewals, `${hours} hours`).toEqual([]);

    const guest = await visit();
    await guest.clock.install({ time });
    await guest.goto(`/shared/${link.share_id}`);
    await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
    await guest.waitForLoadState("networkidle");
    await guest.reload();
    await guest.waitForLoadState("networkidle");
    await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  }
});

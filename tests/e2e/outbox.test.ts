import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { enterPin } from "../support/journey.ts";
import { backgroundSync, expectKept, storedKeys } from "../support/offline.ts";
import { photoPaths } from "../support/photos.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const DAY_MS = 86_400_000;

test.use({ serviceWorkers: "allow" });

const WITHOUT_NETWORK = [/ERR_INTERNET_DISCONNECTED/, /WebSocket/, /Failed to (fetch|send)/];

const heading = (page: Page) => page.getByRole("heading", { level: 1, name: "Rosa Bellini", exact: true });
const firstDigit = (page: Page) => page.getByLabel(say("shareGate:pin.digit", { number: 1 }));
const field = (page: Page) => page.getByLabel(say("comments:write.label"));
const candle = (page: Page) => page.getByRole("button", { name: say("comments:candle.give"), exact: true });
const lit = (page: Page) => page.getByRole("button", { name: say("comments:candle.given"), exact: true });
const list = (page: Page, count: number) => page.getByRole("button", { name: say("outbox:open", { count }) });
const waiting = async (page: Page) =>
  (await storedKeys(page)).filter((key) => key.includes("skies-outbox writes")).length;

const hasCredentials = async (page: Page) =>
  (await storedKeys(page)).some((key) => key.includes("skies-outbox credentials"));

async function comment(page: Page, text: string) {
  await field(page).fill(text);
  await page.getByRole("button", { name: say("comments:write.send"), exact: true }).click();
}

test("a visitor's candle and comments written without a network arrive once, seven days later, after the PIN has changed", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(...WITHOUT_NETWORK, /status of 40[134]/);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg"));
  const link = await newRow(ada.client, "share_links", { memory_id: rosa.id, rights: "comment" }, "id", "share_id");
  const setPin = (pin: string) => ada.client.functions.invoke("share-pin", { body: { linkId: link.id, pin } });
  await setPin("0417");
  const arrived = async () => {
    const { data: comments } = await ada.client
      .from("comments")
      .select("body")
      .eq("memory_id", rosa.id)
      .order("created_at");
    const { data: candles } = await ada.client.from("reactions").select("kind").eq("memory_id", rosa.id);
    return { comments: comments?.map(({ body }) => body), candles: candles?.length };
  };

  const page = await visit(PHONE);
  await page.goto(`/shared/${link.share_id}`);
  await enterPin(page, say, "0417");
  await expect(heading(page)).toBeVisible();
  await comment(page, "I was there.");
  await page.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Ugo");
  await page.keyboard.press("Enter");
  await expect.poll(arrived).toEqual({ comments: ["I was there."], candles: 0 });
  await expectKept(page, 1);
  const context = page.context();

  await context.setOffline(true);
  await page.reload();
  await expect(heading(page)).toBeVisible();
  await candle(page).click();
  await expect(page.getByText(say("comments:react.waits"))).toBeVisible();
  await comment(page, "First");
  await comment(page, "Second");
  await comment(page, "Third");
  await expect(page.getByText(say("comments:write.waiting"))).toHaveCount(3);
  // The list has them in order. One is taken back, and the candle, which is then lit again.
  await list(page, 4).click();
  const entries = page.getByRole("dialog", { name: say("outbox:title") }).getByRole("listitem");
  await expect(entries).toContainText(["Candle", "First", "Second", "Third"]);
  await entries
    .nth(2)
    .getByRole("button", { name: say("outbox:takeBack") })
    .click();
  await expect(entries).toContainText(["Candle", "First", "Third"]);
  await entries
    .first()
    .getByRole("button", { name: say("outbox:takeBack") })
    .click();
  await expect(entries).toContainText(["First", "Third"]);
  await page.keyboard.press("Escape");
  await candle(page).click();
  await expect(lit(page)).toBeVisible();
  await expect(list(page, 3)).toBeVisible();
  await page.close();
  await setPin("5823");

  const later = await context.newPage();
  await later.clock.install({ time: Date.now() + 7 * DAY_MS });
  await later.goto(`/shared/${link.share_id}`);
  // Without a network what was written is still there.
  await expect(later.getByText(say("comments:write.waiting"))).toHaveCount(2);
  await expect(lit(later)).toBeVisible();
  await context.setOffline(false);
  await expect(firstDigit(later)).toBeVisible();
  // Nothing of the memory stays, but what the visitor has written.
  await expect
    .poll(async () => (await storedKeys(later)).filter((key) => key.includes(rosa.id) || key.includes("copies-link")))
    .toEqual([]);
  expect(await waiting(later)).toBe(3);
  expect(await arrived()).toEqual({ comments: ["I was there."], candles: 0 });
  await enterPin(later, say, "5823");
  await expect(heading(later)).toBeVisible();
  await expect.poll(() => waiting(later)).toBe(0);
  expect(await arrived()).toEqual({ comments: ["I was there.", "First", "Third"], candles: 1 });
  await expect(lit(later)).toBeVisible();
  await later.reload();
  await expect(lit(later)).toBeVisible();
  expect(await arrived()).toEqual({ comments: ["I was there.", "First", "Third"], candles: 1 });
});

test("what a member and a link's visitor wrote is sent while no page is open; a sign-out asks first, and deletes what waits", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // The sign-in page needs the network.
  expectedErrors.push(...WITHOUT_NETWORK, /ERR_FAILED/);
  const ada = await person("Ada Rossi");
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg"));
  const page = await visit({ as: ada, ...PHONE });
  const comments = async () => {
    const { data } = await ada.client.from("comments").select("body").eq("memory_id", rosa.id).order("created_at");
    return data?.map(({ body }) => body);
  };
  await page.goto(`/memory/${rosa.id}`);
  await expect(heading(page)).toBeVisible();
  await expectKept(page, 1);

  await page.context().setOffline(true);
  await page.goto(`/memory/${rosa.id}`);

  await comment(page, "From the grave");

  await expect(page.getByText(say("comments:write.waiting"))).toBeVisible();
  await expect.poll(() => hasCredentials(page)).toBe(true);
  const other = await page.context().newPage();
  await page.close();
  await other.context().setOffline(false);
  await other.goto("/favicon.ico");

  await backgroundSync(other);

  await expect.poll(comments).toEqual(["From the grave"]);

  await other.goto(`/memory/${rosa.id}`);
  await expect(other.getByText("From the grave")).toHaveCount(1);
  await expect.poll(() => waiting(other)).toBe(0);

  await other.context().setOffline(true);
  await comment(other, "Never sent");

  await expect(other.getByText(say("comments:write.waiting"))).toBeVisible();
  await other.getByRole("button", { name: say("layout:menu"), exact: true }).click();
  await other.getByRole("menuitem", { name: say("layout:signOut") }).click();
  await expect(other.getByText(say("outbox:signOutText", { count: 1 }))).toBeVisible();
  await other.getByRole("button", { name: say("outbox:stay") }).click();
  await expect(list(other, 1)).toBeVisible();
  await other.getByRole("button", { name: say("layout:menu"), exact: true }).click();
  await other.getByRole("menuitem", { name: say("layout:signOut") }).click();
  await other.getByRole("button", { name: say("outbox:signOut") }).click();
  await expect.poll(() => waiting(other)).toBe(0);
  await other.context().setOffline(false);

  // A link's visitor without a PIN, whose page is closed, too.
  const link = await newRow(ada.client, "share_links", { memory_id: rosa.id, rights: "comment" }, "id", "share_id");
  const guest = await visit(PHONE);
  await guest.goto(`/shared/${link.share_id}`);
  await comment(guest, "With a name");
  await guest.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  await expect.poll(comments).toEqual(["From the grave", "With a name"]);
  await expectKept(guest, 1);
  await guest.context().setOffline(true);
  await candle(guest).click();
  await comment(guest, "Without a network");
  await expect(list(guest, 2)).toBeVisible();
  await expect.poll(() => hasCredentials(guest)).toBe(true);
  const elsewhere = await guest.context().newPage();
  await guest.close();
  await elsewhere.context().setOffline(false);
  await elsewhere.goto("/favicon.ico");
  await backgroundSync(elsewhere);
  await expect.poll(comments).toEqual(["From the grave", "With a name", "Without a network"]);
  await expect.poll(() => waiting(elsewhere)).toBe(0);
  expect(await hasCredentials(elsewhere)).toBe(false);
  const { data: candles } = await ada.client.from("reactions").select("kind").eq("memory_id", rosa.id);
  expect(candles).toEqual([{ kind: "candle" }]);
});

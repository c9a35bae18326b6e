import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "./e2e.ts";
import type { textsIn } from "./texts.ts";

type Say = ReturnType<typeof textsIn>;

/** Registers somebody new by the form, as a visitor who came to the first page. */
export async function register(
  page: Page,
  say: Say,
  {
    name = "Ada Rossi",
    email = `ada.${randomUUID().slice(0, 8)}@example.com`,
    password = "a chair in the garden",
  } = {},
) {
  await page.goto("/");
  await page
    .getByRole("link", { name: say("layout:startFree") })
    .first()
    .click();
  await page.getByLabel(say("account:fullName")).fill(name);
  await page.getByLabel(say("account:email")).fill(email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: say("account:register.submit") }).click();
  await expect(page.getByText(say("memories:list.emptyTitle"))).toBeVisible();
}

/** Waits until so many photos of the gallery show their pixels; those far from the window are not drawn. */
export async function expectPhotos(page: Page, count: number) {
  const tiles = page.locator("li[data-photo]");
  // What holds the place of the photos gives way to them.
  await expect(async () => page.locator("#photos").scrollIntoViewIfNeeded({ timeout: 1000 })).toPass();
  await expect(tiles.first()).toHaveAttribute("aria-setsize", String(count), { timeout: 60_000 });
  for (let place = 1; place <= count; place++) {
    // A photo whose date becomes known moves to its day, and is another element there.
    await expect(async () => {
      const tile = page.locator(`li[data-photo][aria-posinset="${place}"]`);
      if ((await tile.count()) === 0) await tiles.last().scrollIntoViewIfNeeded({ timeout: 1000 });
      await tile.scrollIntoViewIfNeeded({ timeout: 1000 });
      const picture = tile.locator("img").last();
      const width = await picture.evaluate((img: HTMLImageElement) => (img.complete ? img.naturalWidth : 0), null, {
        timeout: 1000,
      });
      expect(width).toBeGreaterThan(32);
    }).toPass({ timeout: 60_000 });
  }
}

/** Sets or changes the PIN in the open share window. */
export async function setPin(page: Page, say: Say, pin: string, how: "set" | "update" = "update") {
  await page.getByRole("button", { name: say(`sharing:pin.${how}`) }).click();
  await typePin(page, say, pin);
  await page.getByRole("button", { name: say("sharing:pin.save") }).click();
  const done = say(how === "set" ? "sharing:pin.wasSet" : "sharing:pin.wasUpdated");
  await expect(page.getByText(done, { exact: true })).toBeVisible();
}

/** Types a PIN into four boxes, over what is in them. */
export async function typePin(page: Page, say: Say, pin: string) {
  await page.getByLabel(say("shareGate:pin.digit", { number: 1 })).focus();
  await page.keyboard.type(pin);
}

/** Types a PIN at a share gate, once that waits for one: after a wrong one its boxes are emptied. */
export async function enterPin(page: Page, say: Say, pin: string) {
  const first = page.getByLabel(say("shareGate:pin.digit", { number: 1 }));
  await expect(first).toHaveValue("");
  await expect(first).toBeFocused();
  await page.keyboard.type(pin);
}

/** What the sandbox's Plausible learned of: names of events, with what was paid. */
export async function eventsTold(server: { url: string }): Promise<string[]> {
  type Told = { vendor: string; event: string; sent: { revenue?: { amount: number; currency: string } } };
  const reply = await fetch(`${server.url}/sandbox/analytics/events`);
  const { events } = (await reply.json()) as { events: Told[] };
  return events
    .filter(({ vendor }) => vendor === "plausible")
    .map(({ event, sent: { revenue } }) => (revenue ? `${event} ${revenue.amount} ${revenue.currency}` : event));
}

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "./e2e.ts";
import type { textsIn } from "./texts.ts";

type Say = ReturnType<typeof textsIn>;

/** Registers a new person by the form, starting on the home page. */
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

/** Waits until so many photos of the gallery are loaded; only those near the viewport are rendered. */
export async function expectPhotos(page: Page, count: number) {
  const tiles = page.locator("li[data-photo]");
  // The placeholder of the photos is replaced meanwhile.
  await expect(async () => page.locator("#photos").scrollIntoViewIfNeeded({ timeout: 1000 })).toPass();
  await expect(tiles.first()).toHaveAttribute("aria-setsize", String(count), { timeout: 180_000 });
  for (let place = 1; place <= count; place++) {
    // A photo whose date becomes known moves to another group as a new element.
    await expect(async () => {
      const tile = page.locator(`li[data-photo][aria-posinset="${place}"]`);
      if ((await tile.count()) === 0) await tiles.last().scrollIntoViewIfNeeded({ timeout: 1000 });
      await tile.scrollIntoViewIfNeeded({ timeout: 1000 });
      const picture = tile.locator("img").last();
      const width = await picture.evaluate((img: HTMLImageElement) => (img.complete ? img.naturalWidth : 0), null, {
        timeout: 1000,
      });
      expect(width).toBeGreaterThan(32);
    }).toPass({ timeout: 180_000 });
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

/** Types a PIN over the content of the four boxes. */
export async function typePin(page: Page, say: Say, pin: string) {
  await page.getByLabel(say("shareGate:pin.digit", { number: 1 })).focus();
  await page.keyboard.type(pin);
}

/** Types a PIN at a share gate when it is ready: after a wrong PIN it clears its boxes. */
export async function enterPin(page: Page, say: Say, pin: string) {
  const first = page.getByLabel(say("shareGate:pin.digit", { number: 1 }));
  await expect(first).toHaveValue("");
  await expect(first).toBeFocused();
  await page.keyboard.type(pin);
}

/** The events that the sandbox's Plausible received, with their amounts. */
export async function eventsTold(server: { url: string }): Promise<string[]> {
  type Told = { vendor: string; event: string; sent: { revenue?: { amount: number; currency: string } } };
  const reply = await fetch(`${server.url}/sandbox/analytics/events`);
  const { events } = (await reply.json()) as { events: Told[] };
  return events
    .filter(({ vendor }) => vendor === "plausible")
    .map(({ event, sent: { revenue } }) => (revenue ? `${event} ${revenue.amount} ${revenue.currency}` : event));
}

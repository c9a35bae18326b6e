// tests/e2e/offline.test.ts opens the page without a network.
import type { Page } from "@playwright/test";
import { cardsOf, paidOrder } from "../../support/cards.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { memoryWith } from "../../support/gallery.ts";
import { enterPin } from "../../support/journey.ts";
import { photoPaths } from "../../support/photos.ts";
import { textsIn } from "../../support/texts.ts";

const say = textsIn("en");
const KB = 1024;
/** The most requests and received bytes until the PIN can be typed, and until the memory's name is shown. */
const MOST = { gate: { requests: 12, bytes: 40 * KB }, memory: { requests: 45, bytes: 234 * KB } };

/**
 * Emulates a signal of one bar: 400 ms to and fro, 50 KB a second. The page records when its field has the focus and
 * when it shows the name.
 */
async function oneBar(page: Page, name: string) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  const throughput = 50 * KB;
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await page.addInitScript((name) => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    addEventListener("focusin", () => {
      seen.gate ??= performance.now();
    });
    new MutationObserver(() => {
      if (document.querySelector("h1")?.textContent === name) seen.memory ??= performance.now();
    }).observe(document, { childList: true, subtree: true });
  }, name);
}

/** The number of requests until then, and the bytes of those that have ended. */
const arrivedBy = (page: Page, moment: keyof typeof MOST) =>
  page.evaluate((moment) => {
    const time = (window as unknown as { seen: Record<string, number> }).seen[moment] ?? Number.NaN;
    const loads = [
      ...(performance.getEntriesByType("navigation") as PerformanceResourceTiming[]),
      ...(performance.getEntriesByType("resource") as PerformanceResourceTiming[]),
    ].filter(({ startTime }) => startTime <= time);
    const come = loads.filter(({ responseEnd }) => responseEnd <= time);
    return { requests: loads.length, bytes: come.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  }, moment);

test("an engraved card is scanned at a grave with one bar of signal, and opens another memory without being engraved anew", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401/);
  const ada = await person("Ada Rossi", { plan: "skies-memories" });
  const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
  const { data: link } = await ada.client.from("share_links").select("id").eq("memory_id", rosa.id).single();
  await ada.client.functions.invoke("share-pin", { body: { linkId: link?.id, pin: "0417" } });
  await ada.client.from("memories").insert({ person_name: "The Bellini family" }).throwOnError();
  const engraving = { name: "Rosa Bellini", finish: "steel", language: "en", memory_id: rosa.id };
  let code = "";
  await server.change(async (db) => {
    const order = await paidOrder(db, ada.id, { cards: { quantity: 1, engraving } });
    code = (await cardsOf(db, order.id))[0]?.code ?? "";
    await db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
  });

  // The engraved code is in capitals. The share gate asks for the PIN before anything else loads.
  const visitor = await visit(PHONE);
  await oneBar(visitor, "Rosa Bellini");
  await visitor.goto(`/C/${code}`, { waitUntil: "commit" });
  const first = visitor.getByLabel(say("shareGate:pin.digit", { number: 1 }));
  await expect(first).toBeFocused({ timeout: 180_000 });
  await enterPin(visitor, say, "0417");
  await expect(visitor.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible({ timeout: 180_000 });
  for (const moment of ["gate", "memory"] as const) {
    const { requests, bytes } = await arrivedBy(visitor, moment);
    expect(requests, `requests until the ${moment}`).toBeLessThanOrEqual(MOST[moment].requests);
    expect(requests, `requests until the ${moment}`).toBeGreaterThan(0);
    expect(bytes, `bytes until the ${moment}`).toBeLessThanOrEqual(MOST[moment].bytes);
  }

  // The visitor leaves, so that photos that are still loading are not requested with an ended link.
  await visitor.close();

  // The family assigns another memory to the card; the code stays the same.
  const owner = await visit({ ...PHONE, as: ada });
  await owner.goto("/cards");
  await owner.getByRole("button", { name: say("ownCards:mine.change") }).click();
  const choice = owner.getByRole("dialog").getByLabel(say("cards:words.memory"));
  const other = choice.locator("option", { hasText: "The Bellini family" });
  await choice.selectOption(await other.getAttribute("value"));
  await owner.getByRole("button", { name: say("ownCards:mine.choose"), exact: true }).click();
  await expect(
    owner.getByText(say("ownCards:mine.changed", { name: "The Bellini family" }), { exact: true }),
  ).toBeVisible();
  const next = await visit(PHONE);
  await next.goto(`/C/${code}`);
  await expect(next.getByRole("heading", { level: 1, name: "The Bellini family" })).toBeVisible();
});

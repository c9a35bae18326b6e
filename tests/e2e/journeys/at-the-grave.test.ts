// Not built yet: the page of next year, opened without any network at all.
import type { Page } from "@playwright/test";
import { cardsOf, paidOrder } from "../../support/cards.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { memoryWith } from "../../support/gallery.ts";
import { enterPin } from "../../support/journey.ts";
import { photoPaths } from "../../support/photos.ts";
import { textsIn } from "../../support/texts.ts";

const say = textsIn("en");
const KB = 1024;
/** What may have come once the PIN can be typed, and once the memory's name is there. */
const MOST = { gate: { requests: 24, bytes: 100 * KB }, memory: { requests: 84, bytes: 290 * KB } };

/** A line of one bar: 400 ms to and fro, 50 KB a second; counts what has come over it. */
async function oneBar(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  const throughput = 50 * KB;
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  let [requests, bytes] = [0, 0];
  cdp.on("Network.requestWillBeSent", () => {
    requests += 1;
  });
  cdp.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => ({ requests, bytes });
}

test("an engraved card is scanned at a grave with one bar of signal, and opens another memory without being engraved anew", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  test.setTimeout(300_000);
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
  });

  // As the engraved code says it, in capitals; the share gate asks for the PIN before anything else comes.
  const visitor = await visit(PHONE);
  const arrived = await oneBar(visitor);
  await visitor.goto(`/C/${code}`, { waitUntil: "commit" });
  const first = visitor.getByLabel(say("shareGate:pin.digit", { number: 1 }));
  await expect(first).toBeFocused({ timeout: 60_000 });
  const gate = arrived();
  await enterPin(visitor, say, "0417");
  await expect(visitor.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible({ timeout: 60_000 });
  const memory = arrived();
  for (const [counted, most] of [
    [gate, MOST.gate],
    [memory, MOST.memory],
  ] as const) {
    expect(counted.requests, "requests").toBeLessThanOrEqual(most.requests);
    expect(counted.bytes, "bytes").toBeLessThanOrEqual(most.bytes);
  }

  // They go home; photos that are still on their way are not asked for by an ended link.
  await visitor.close();

  // The family chooses another memory for the card; the code stays.
  const owner = await visit({ ...PHONE, as: ada });
  await owner.goto("/cards");
  await owner.getByRole("button", { name: say("cards:mine.change") }).click();
  const choice = owner.getByRole("dialog").getByLabel(say("cards:words.memory"));
  const other = choice.locator("option", { hasText: "The Bellini family" });
  await choice.selectOption(await other.getAttribute("value"));
  await owner.getByRole("button", { name: say("cards:mine.choose"), exact: true }).click();
  await expect(
    owner.getByText(say("cards:mine.changed", { name: "The Bellini family" }), { exact: true }),
  ).toBeVisible();
  const next = await visit(PHONE);
  await next.goto(`/C/${code}`);
  await expect(next.getByRole("heading", { level: 1, name: "The Bellini family" })).toBeVisible();
});

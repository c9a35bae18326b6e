import { readFile } from "node:fs/promises";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { expect, test } from "../support/e2e.ts";
import { checkoutRequests } from "../support/payments.ts";
import { administrator } from "../support/screens/desk-orders.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("an order is paid, engraved, labelled, sent with a tracking number and refunded in part", async ({
  visit,
  person,
  server,
}) => {
  const [ada, admin] = [await person("Ada"), await administrator(server)];
  const engraving = { name: "Rosa Bellini", dates: "1931 – 2024", finish: "steel", language: "en" };
  const session = await checkoutRequests(server).sessionFor(ada, [
    { product_id: "metal-card", quantity: 1, currency: "GBP", item: { engraving } },
  ]);
  const shop = await visit({ as: ada });
  await shop.goto(`/sandbox/payments/pay/${session}`);
  const fields = { name: "Ada Bellini", line1: "1 High Street", postal_code: "BA1 1AA", city: "Bath" };
  for (const [name, text] of Object.entries(fields)) await shop.locator(`[name=${name}]`).fill(text);
  await shop.getByLabel("Card number").fill(CARD_NUMBERS.pays);
  await shop.getByRole("button", { name: /^Pay £/ }).click();
  await expect(shop.getByRole("heading", { name: say("cart:success.paid.title") })).toBeVisible();

  const desk = await visit({ as: admin });
  await desk.goto("/admin/orders");
  await desk.getByLabel(say("adminOrders:find")).fill(ada.email.slice(0, 8).toUpperCase());
  const row = desk.getByRole("row").filter({ hasText: ada.email });
  await expect(row).toContainText(say("adminOrders:statuses.paid"));
  await expect(desk).toHaveURL(/find=/);
  await desk.getByRole("heading", { level: 1 }).click();
  await desk.keyboard.press("j");
  await desk.keyboard.press("Enter");
  const timeline = desk.getByRole("region", { name: say("adminOrders:timeline") });
  await expect(timeline.getByText(say("adminOrders:events.paid"), { exact: true })).toBeVisible();
  const order = desk.url();

  // Fulfilment: the engraver's pack, labels, and dispatch by a carrier. The card is moved by keyboard.
  await desk.goto("/admin/cards");
  const column = (name: string) =>
    desk.getByRole("region", { name: new RegExp(`^${say(`adminCards:columns.${name}`)}`) });
  await column("ordered").getByRole("checkbox").check();
  const labels = desk.waitForEvent("download");
  await desk.getByRole("button", { name: say("adminCards:labels", { count: 1 }) }).click();
  expect((await readFile(await (await labels).path())).subarray(0, 5).toString()).toBe("%PDF-");
  const pack = desk.waitForEvent("download");
  await desk.getByRole("button", { name: say("adminCards:pack", { count: 1 }) }).click();
  expect((await pack).suggestedFilename()).toMatch(/^skies-cards-SK-.*\.zip$/);
  await expect(column("engraved").getByText("Rosa Bellini")).toBeVisible();
  await column("engraved")
    .getByRole("button", { name: /^Move card/ })
    .press("ArrowRight");
  await desk.getByLabel(say("adminCards:sending.carrier")).fill("Royal Mail");
  await desk.getByLabel(say("adminCards:sending.number")).fill("AB123");
  await desk.getByRole("button", { name: say("adminCards:sending.submit") }).click();
  await expect(column("sent").getByText("Royal Mail AB123")).toBeVisible();
  // The card is moved back with the pointer, and the toast undoes that.
  const handle = column("sent").getByRole("button", { name: /^Move card/ });
  const [from, to] = [await handle.boundingBox(), await column("returned").boundingBox()];
  if (!from || !to) throw new Error("The board is not to be seen");
  await desk.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await desk.mouse.down();
  await desk.mouse.move(to.x + to.width / 2, to.y + 60, { steps: 5 });
  await desk.mouse.up();
  await expect(column("returned").getByText("Rosa Bellini")).toBeVisible();
  await desk.getByRole("button", { name: say("adminCards:undo") }).click();
  await expect(column("sent").getByText("Royal Mail AB123")).toBeVisible();

  await desk.goto(order);
  await expect(timeline.getByText(say("adminOrders:events.sent", { count: 1 }))).toBeVisible();
  await desk.getByRole("button", { name: say("adminOrders:refund.open"), exact: true }).click();
  await desk.getByLabel(say("adminOrders:refund.amount", { currency: "GBP" })).fill("5");
  await desk.getByLabel(say("adminOrders:refund.reason")).fill("Scratched");
  await desk.getByRole("button", { name: say("adminOrders:refund.submit", { amount: "£5.00" }) }).dblclick();
  await expect(timeline.getByText(say("adminOrders:events.refund", { amount: "£5.00" }))).toBeVisible();
  await expect(desk.getByText(say("adminOrders:refunded", { amount: "£5.00" }))).toBeVisible();
  await expect(timeline.getByText("Scratched")).toHaveCount(1);
});

test("a voucher and a plan show their prices before they are saved; a campaign's codes work until it is turned off", {
  tag: "@sample",
}, async ({ visit, person, server }) => {
  const [ada, admin] = [await person("Ada"), await administrator(server)];
  const desk = await visit({ as: admin });
  await desk.goto("/admin/catalogue");
  await desk.getByRole("button", { name: say("adminCatalogue:newVoucher") }).click();
  await desk.getByLabel(say("adminCatalogue:code"), { exact: true }).fill("desk20");
  await desk.getByLabel(say("adminCatalogue:percentage")).fill("20");
  await expect(desk.getByRole("row", { name: /Skies Memories.*£36\.00.*€36\.00/ })).toBeVisible();
  await desk.getByRole("button", { name: say("adminCatalogue:save"), exact: true }).click();
  await expect(desk.getByRole("button", { name: "DESK20", exact: true })).toBeVisible();
  const shop = await visit({ as: ada });
  await shop.goto("/pricing?voucher=DESK20");
  await expect(shop.getByText("£36", { exact: true })).toBeVisible();

  await desk.getByRole("button", { name: say("adminCatalogue:newPlan") }).click();
  const plan = { id: "skies-family", name: "Skies Family", max_memories: "5", storage_gb: "50" };
  for (const [name, text] of Object.entries(plan)) await desk.getByLabel(say(`adminCatalogue:plan.${name}`)).fill(text);
  await desk.getByLabel(say("adminCatalogue:priceIn", { currency: "GBP" })).fill("75");
  await expect(desk.getByRole("row", { name: /Skies Family not for sale becomes £75\.00/ })).toBeVisible();
  await desk.getByRole("button", { name: say("adminCatalogue:save"), exact: true }).click();
  await desk.getByRole("button", { name: say("adminCatalogue:card"), exact: true }).click();
  await desk.getByLabel(say("adminCatalogue:discounts")).fill("4: 50");
  await expect(desk.getByRole("row", { name: /4 metal cards £100\.00 becomes £50\.00/ })).toBeVisible();
  await desk.getByRole("button", { name: say("adminCatalogue:cancel"), exact: true }).click();
  await expect(async () => {
    await shop.reload();
    await expect(shop.getByRole("heading", { name: "Skies Family" })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(shop.getByText("£60", { exact: true })).toBeVisible();
  // Deleted, because other tests buy from the same catalogue.
  await server.service().from("subscription_plans").delete().eq("id", "skies-family").throwOnError();

  await desk.getByRole("button", { name: say("adminCatalogue:newCampaign") }).click();
  await desk.getByLabel(say("adminCatalogue:campaignName")).fill("Spring fair");
  await desk.getByLabel(say("adminCatalogue:percentage")).fill("50");
  await desk.getByLabel(say("adminCatalogue:codes")).fill("3");
  const file = desk.waitForEvent("download");
  await desk.getByRole("button", { name: say("adminCatalogue:make") }).click();
  const [head, ...codes] = (await readFile(await (await file).path(), "utf8")).trim().split("\r\n");
  expect([head, codes.length]).toEqual(["code", 3]);
  const valid = async () => (await ada.client.rpc("apply_voucher", { code_text: codes[0] }).throwOnError()).data.valid;
  expect(await valid()).toBe(true);
  const row = desk.getByRole("row").filter({ hasText: "Spring fair" });
  await row.getByRole("button", { name: say("adminCatalogue:turnOff") }).click();
  await expect(row.getByRole("button", { name: say("adminCatalogue:turnOn") })).toBeVisible();
  expect(await valid()).toBe(false);
});

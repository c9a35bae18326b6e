import jsQR from "jsqr";
import sharp from "sharp";
import { ADDRESS } from "../support/cards.ts";
import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const ENGRAVING = { name: "Rosa Bianchi", dates: "1931 – 2024", finish: "steel", language: "en" };

test("the card in the shop shows a memory's own code, and what is chosen waits in the cart", async ({
  visit,
  person,
  server,
}) => {
  const ada = await person("Ada Rossi");
  const { data: memory } = await ada.client
    .from("memories")
    .insert({ person_name: "Rosa Bianchi", birth_date: "1931-03-12", passing_date: "2024-01-01" })
    .select("id, share_id")
    .single()
    .throwOnError();
  const say = textsIn("it");
  const page = await visit({ as: ada, language: "it" });
  await page.goto("/shop");
  await page.getByLabel(say("cards:words.memory")).selectOption({ label: "Rosa Bianchi" });
  await expect(page.getByLabel(say("cards:words.dates"))).toHaveValue("1931 – 2024");
  const card = page.getByRole("img", { name: say("cards:face.alt", { said: "Rosa Bianchi, 1931 – 2024" }) });
  await expect
    .poll(async () => {
      const shot = sharp(await card.screenshot()).resize({ width: 640 });
      const { data, info } = await shot.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
    })
    .toBe(`${server.url}/shared/${memory.share_id}`);

  await page.getByRole("button", { name: say("cards:shop.weddingTake") }).click();
  await expect(page.getByText("€2,125.00", { exact: true })).toBeVisible();
  await page.getByLabel(say("cards:words.name"), { exact: true }).fill("李白");
  await expect(page.getByText(say("cards:words.notEngravable"))).toBeVisible();
  await expect(page.getByRole("button", { name: say("cards:shop.add") })).toBeDisabled();
  await page.getByLabel(say("cards:words.name"), { exact: true }).fill("Nonna Rosa");
  await page.getByRole("button", { name: say("cards:shop.add") }).click();
  await expect(page.getByRole("link", { name: say("cards:shop.seeCart") })).toBeVisible();
  const { data: lines } = await ada.client.from("cart_items").select("quantity, currency, price, item").throwOnError();
  expect(lines).toEqual([
    {
      quantity: 100,
      currency: "EUR",
      price: 25,
      item: expect.objectContaining({
        engraving: { name: "Nonna Rosa", dates: "1931 – 2024", finish: "steel", language: "it", memory_id: memory.id },
      }),
    },
  ]);
});

test("who is given a card scans it, signs in, claims it, and it opens their memory in another browser", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  // A wrong secret is refused, so is an unknown code, and what a lost card had opened.
  expectedErrors.push(/status of (40[14]|410)/);
  const say = textsIn("en");
  const [ada, gina] = [await person("Ada Rossi"), await person("Gina Verdi")];
  await gina.client.from("memories").insert({ person_name: "Nonno Aldo" }).throwOnError();
  const { code, secret } = await engravedCard(server, ada);

  const page = await visit();
  // As the engraved code says it, in capitals.
  await page.goto(`/C/${code}`);
  await expect(page.getByRole("heading", { name: say("cards:scan.newTitle") })).toBeVisible();
  await page.getByRole("link", { name: say("cards:scan.login") }).click();
  await page.getByLabel(say("account:email")).fill(gina.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(gina.password);
  await page.getByRole("button", { name: say("account:login.submit") }).click();

  await page.getByLabel(say("cards:scan.secret")).fill("AAAAA-AAAAA");
  await page.getByRole("button", { name: say("cards:scan.claim") }).click();
  await expect(page.getByText(say("cards:scan.wrong", { count: 4 }))).toBeVisible();
  await page.getByLabel(say("cards:scan.secret")).fill(secret.toLowerCase());
  await page.getByRole("button", { name: say("cards:scan.claim") }).click();
  await expect(page.getByRole("heading", { name: say("cards:scan.yoursTitle") })).toBeVisible();
  await page.getByRole("button", { name: say("cards:mine.choose") }).click();
  await expect(page.getByRole("heading", { name: say("cards:mine.title") })).toBeVisible();
  await expect(page.getByRole("link", { name: "Nonno Aldo" })).toBeVisible();

  const other = await visit();
  await other.goto(`/c/${code}`);
  await expect(other.getByRole("heading", { name: "Nonno Aldo" })).toBeVisible();

  await page
    .getByRole("button", { name: say("cards:mine.menu", { code: code.replace(/(.{4})(?=.)/g, "$1-") }) })
    .click();
  await page.getByRole("menuitem", { name: say("cards:mine.lost") }).click();
  await expect(other.getByRole("heading", { name: say("shareGate:open.revoked") })).toBeVisible();
  await other.goto(`/c/${code}`);
  await expect(other.getByRole("heading", { name: say("cards:scan.unknownTitle") })).toBeVisible();
});

test("what a visitor chose in the shop and among the plans is in the cart once they have signed in", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada Rossi");
  const page = await visit({ viewport: { width: 360, height: 740 } });
  await page.goto("/shop");
  await page.getByLabel(say("cards:words.name"), { exact: true }).fill("Rosa Bianchi");
  await page.getByLabel(say("cards:words.dates")).fill("1931 – 2024");
  await page.getByRole("button", { name: say("cards:shop.more") }).click();
  await page.getByRole("button", { name: say("cards:shop.add") }).click();
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByText("Rosa Bianchi")).toBeVisible();
  await expect(page.getByText("£50.00").first()).toBeVisible();

  // Another visitor, who finds the prices from the first page of a phone.
  const other = await visit({ viewport: { width: 360, height: 740 } });
  await other.goto("/");
  await other.getByRole("link", { name: say("home:card.link") }).scrollIntoViewIfNeeded();
  // Wherever they were on another page, this one begins at its top.
  await other.goto("/shop");
  await expect(other.getByRole("heading", { name: say("cards:shop.title") })).toBeInViewport();
  await other.goto("/");
  await other.getByLabel(say("layout:menu")).click();
  await other.getByRole("link", { name: say("layout:pricing"), exact: true }).click();
  await other.getByRole("button", { name: say("pricing:choose", { plan: "Skies Memories" }) }).click();
  await other.getByLabel(say("account:email")).fill(ada.email);
  await other.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await other.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(other).toHaveURL(/\/cart$/);
  await expect(other.getByText("Skies Memories").first()).toBeVisible();
  await expect(page.getByText("Skies Memories").first()).toBeVisible();
});

test("a card that a plan includes is written and sent where one says", async ({ visit, person, server }) => {
  const say = textsIn("en");
  const ada = await person("Ada Rossi");
  await server
    .service()
    .from("orders")
    .insert({ user_id: ada.id, email: ada.email, currency: "GBP", subtotal: 4500, total: 4500 })
    .throwOnError();
  const { data: order } = await server
    .service()
    .from("orders")
    .select("id")
    .eq("user_id", ada.id)
    .single()
    .throwOnError();
  await server
    .service()
    .from("order_items")
    .insert({
      order_id: order.id,
      kind: "plan",
      plan_id: "skies-memories",
      quantity: 1,
      unit_amount: 4500,
      total: 4500,
      terms: { name: "Skies Memories", storage_gb: 100, term_years: 1, included_cards: 1 },
    })
    .throwOnError();
  await server.service().from("orders").update({ status: "paid" }).eq("id", order.id).throwOnError();
  const page = await visit({ as: ada });
  await page.goto("/cards");
  await page.getByRole("link", { name: say("cards:mine.personalise") }).click();
  await page.getByLabel(say("cards:words.name"), { exact: true }).fill("Rosa Bianchi");
  await page.getByRole("button", { name: say("cards:personalise.save") }).click();
  await expect(page.getByText(say("common:required")).first()).toBeVisible();
  await page.getByLabel(say("cards:personalise.recipient")).fill("Ada Rossi");
  await page.getByLabel(say("cards:personalise.line1")).fill("Via Roma 1");
  await page.getByLabel(say("cards:personalise.city")).fill("Torino");
  await page.getByLabel(say("cards:personalise.country")).selectOption("IT");
  await page.getByRole("button", { name: say("cards:personalise.save") }).click();
  await expect(page.getByText(say("cards:making.ordered"))).toBeVisible();
});

type Server = Parameters<Parameters<typeof test>[2]>[0]["server"];
type Person = Awaited<ReturnType<Parameters<Parameters<typeof test>[2]>[0]["person"]>>;

/** A card that somebody bought and had engraved, and a secret that claims it. */
async function engravedCard(server: Server, buyer: Person) {
  const service = server.service();
  const { data: order } = await service
    .from("orders")
    .insert({ user_id: buyer.id, email: buyer.email, currency: "GBP", subtotal: 2500, total: 2500, delivery: ADDRESS })
    .select("id, number")
    .single()
    .throwOnError();
  await service
    .from("order_items")
    .insert({
      order_id: order.id,
      kind: "card",
      product_id: "metal-card",
      quantity: 1,
      unit_amount: 2500,
      total: 2500,
      details: { engraving: ENGRAVING },
    })
    .throwOnError();
  await service.from("orders").update({ status: "paid" }).eq("id", order.id).throwOnError();
  const pack = await call(server, "engraver-pack", { order: order.number }, server.keys.secret);
  expect(pack.headers.get("content-type")).toBe("application/zip");
  const { data: card } = await service
    .from("metal_cards")
    .select("id, code")
    .eq("order_id", order.id)
    .single()
    .throwOnError();
  const given = await call(server, "release-card", { cardId: card.id }, buyer.token);
  const { secret } = (await given.json()) as { secret: string };
  return { code: String(card.code), secret };
}

const call = (server: Server, name: string, body: object, bearer: string) =>
  fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  });

import jsQR from "jsqr";
import sharp from "sharp";
import { expect, test } from "../support/e2e.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

test("the card in the shop shows the memory's QR code, and the chosen engraving is in the cart", {
  tag: "@sample",
}, async ({ visit, person, server }) => {
  const ada = await person("Ada Rossi");
  const memory = await newMemory(ada.client, {
    person_name: "Rosa Bianchi",
    birth_date: "1931-03-12",
    passing_date: "2024-01-01",
  });
  const say = textsIn("it");
  const page = await visit({ as: ada, language: "it" });
  await page.goto("/shop");
  await page.getByLabel(say("cards:words.memory")).selectOption({ index: 1 });
  await expect(
    page.getByRole("option", { selected: true, name: "Rosa Bianchi · 12 marzo 1931 – 1 gennaio 2024" }),
  ).toBeAttached();
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

test("a card or plan that a visitor chose is in the cart once they have signed in", async ({ visit, person }) => {
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
  await expect(page.getByText("Rosa Bianchi, 1931 – 2024")).toBeVisible();
  await expect(page.getByText("£50.00").first()).toBeVisible();

  // Another visitor, on a phone, who finds the prices from the first page.
  const other = await visit({ viewport: { width: 360, height: 740 } });
  await other.goto("/");
  await other.getByRole("link", { name: say("home:card.link") }).scrollIntoViewIfNeeded();
  // Wherever the previous page was scrolled to, this one begins at its top.
  await other.goto("/shop");
  await expect(other.getByRole("heading", { name: say("cards:shop.title") })).toBeInViewport();
  await other.goBack();
  await expect(other.getByRole("link", { name: say("home:card.link") })).toBeInViewport();
  await other.goto("/");
  await expect(other.locator("#root:not([data-prerendered])")).toBeAttached();
  await expect(other.getByLabel(say("layout:menu"))).toBeInViewport();
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

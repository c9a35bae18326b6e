import type { Page } from "@playwright/test";
import { CARD_NUMBERS } from "../support/card-numbers.ts";
import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

/** Pays on the sandbox's page, which also asks for the delivery address of cards. */
async function payWith(page: Page, number: string, texts: { number: string; pay: RegExp }) {
  await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  const fields = { name: "Ada Bellini", line1: "1 High Street", postal_code: "BA1 1AA", city: "Bath" };
  for (const [name, text] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(text);
  await page.getByLabel(texts.number).fill(number);
  await page.getByRole("button", { name: texts.pay }).click();
}

test("a buyer on a phone pays in euros and Italian after a cancellation, a double click and a late event", async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("it");
  await server.service().from("vouchers").insert({ code: "NEARLY", percentage: 99.9 }).throwOnError();
  const inItalian = { number: "Numero della carta", pay: /^Paga €/ };
  const ada = await person("Ada");
  await ada.client.from("cart_items").insert({ product_id: "metal-card", quantity: 10 }).throwOnError();
  const page = await visit({ as: ada, language: "it", viewport: { width: 360, height: 740 } });
  // An amount that no bank would accept is reported before anybody presses the button, and the button does nothing.
  await page.goto("/checkout?voucher=nearly");
  const tooSmall = page.getByText(say("cart:refusal.total_too_small", { least: "€0.50" }), { exact: true });
  await expect(tooSmall).toBeVisible();
  await expect(page.getByRole("button", { name: say("cart:checkout.pay", { price: "€0.24" }) })).toBeDisabled();
  await page.goto("/cart");
  await page.getByRole("button", { name: say("vouchers:remove"), exact: true }).click();
  await expect(tooSmall).toHaveCount(0);
  // Ten cards cost 5% less, and a reader of Italian pays in euros.
  await expect(page.locator("dl").getByText("€237.50")).toBeVisible();
  await page.goto("/checkout");
  const pay = page.getByRole("button", { name: say("cart:checkout.pay", { price: "€237.50" }) });
  await pay.dblclick();
  await expect(page).toHaveURL(/\/sandbox\/payments\/pay\//);
  await page.getByRole("link", { name: "Torna indietro senza pagare" }).click();
  await expect(page).toHaveURL(/\/cart$/);

  await page.goto("/checkout");
  await pay.click();
  await payWith(page, CARD_NUMBERS.late, inItalian);
  await expect(page.getByRole("heading", { name: say("cart:success.pending.title") })).toBeVisible();
  await page.request.post("/sandbox/payments/release");
  await expect(page.getByRole("heading", { name: say("cart:success.paid.title") })).toBeVisible();
  const { data } = await ada.client.from("orders").select("status, currency, total").throwOnError();
  expect(data).toEqual([{ status: "paid", currency: "EUR", total: 23_750 }]);
  await page.goto("/cart");
  await expect(page.getByText(say("cart:emptyTitle"))).toBeVisible();
});

test("Spec §5, §8: a failed checkout gives the specified message with the server's reason, and a second try keeps one plan", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of (400|50[023])/);
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  const says = (message: string) => expect(page.getByText(message, { exact: true })).toBeVisible();
  const failing = async (path: string, status: number, json: Record<string, unknown>) => {
    await page.unrouteAll({ behavior: "wait" });
    await page.route(path, (route) => route.fulfill({ status, json }));
  };

  await page.goto("/subscribe");
  const choose = page.getByRole("button", { name: "Choose Skies Pro", exact: true });
  await failing("**/create-checkout-session", 500, { message: "The line to the bank is down." });
  await choose.click();
  await says("Failed to create checkout session: The line to the bank is down.");
  await failing("**/create-checkout-session", 503, { message: "Nobody there.", code: "payments_unreachable" });
  await choose.click();
  await says("Failed to create checkout session: Nobody there.");
  await failing("**/create-checkout-session", 200, {});
  await choose.click();
  await says("No checkout session URL returned");
  expect((await ada.client.from("cart_items").select("plan_id")).data).toEqual([{ plan_id: "skies-pro" }]);

  await page.goto("/checkout");
  const pay = page.getByRole("button", { name: "Pay £120.00" });
  await failing("**/create-checkout", 500, { message: "The line to the bank is down." });
  await pay.click();
  await says("The line to the bank is down.");
  await failing("**/create-checkout", 502, {});
  await pay.click();
  await says("Failed to create checkout session");
  await failing("**/create-checkout", 200, {});
  await pay.click();
  await says("No checkout session URL returned");
  await failing("**/create-checkout", 400, { message: "Cart is empty", code: "cart_empty" });
  await pay.click();
  await says("Cart is empty");
});

test("a plan that was chosen before signing in is in the cart, which is never called empty", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit();
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const text = document.querySelector("main")?.textContent;
      if (text?.includes("Your cart is empty")) sessionStorage.setItem("saw an empty cart", "yes");
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Choose Skies Pro" }).click();
  await page.getByLabel("Email").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  // The cart is read before the plan is added, and that answer arrives after it.
  const added = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && /cart_items/.test(answer.url()),
  );
  let first: Promise<unknown> | undefined;
  await page.route(/cart_items\?/, async (route) => {
    if (route.request().method() === "POST") await first;
    else if (!first) {
      const answer = route.fetch();
      first = answer;
      await added;
      await page.evaluate(() => new Promise(requestAnimationFrame));
      // The page may have given up this request.
      return route.fulfill({ response: await answer }).catch(() => {});
    }
    await route.fallback();
  });
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/cart");
  await expect(page.getByRole("list", { name: "Items" }).or(page.getByText("Skies Pro")).first()).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("saw an empty cart"))).toBeNull();
});

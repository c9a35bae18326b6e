import { expect, test } from "../support/e2e.ts";
import { startProduct } from "../support/product-server.ts";

test("Spec §2: a visitor opens the product and it is there, in the language of their browser", async ({ visit }) => {
  const english = await visit();
  await english.goto("/");
  await expect(english.getByText("Your Private Memory Portal").first()).toBeVisible();
  await expect(english.locator("html")).toHaveAttribute("lang", "en");
  const italian = await visit({ language: "it" });
  await italian.goto("/");
  await expect(italian.locator("html")).toHaveAttribute("lang", "it");
});

test("Spec §2: settings that can not work are named on a Configuration Error screen, and Retry looks again", async ({
  page,
  expectedErrors,
}) => {
  // The failure itself, and whatever the page asks for while the server starts again.
  expectedErrors.push(/Missing or invalid settings: supabaseUrl/, /ERR_CONNECTION_(REFUSED|RESET)/);
  const server = await startProduct({ PUBLIC_URL: "http://skies.example" });
  try {
    await page.goto(server.url);
    await expect(page.getByRole("heading", { name: "Configuration Error" })).toBeVisible();
    await server.restart({ settings: { PUBLIC_URL: server.url } });
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("Your Private Memory Portal").first()).toBeVisible();
    // The words are there before the app, which must not be looking for its server any more.
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    await page.waitForLoadState("networkidle");
  } finally {
    await server.close();
  }
});

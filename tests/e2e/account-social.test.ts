import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const byGoogle = say("account:social.with", { provider: "Google" });

test("Google signs a person in; a cancelled or failed attempt shows its reason", { tag: "@sample" }, async ({
  visit,
}) => {
  const page = await visit();
  await page.goto("/memory/new");
  await page
    .getByRole("main")
    .getByRole("link", { name: say("layout:fallback.signIn") })
    .click();
  await page.getByRole("button", { name: byGoogle }).click();
  await page.locator("button[value=cancel]").click();
  await expect(page.getByRole("heading", { name: say("account:callback.cancelled.title") })).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: say("account:callback.login") })
    .click();

  await page.getByRole("button", { name: byGoogle }).click();
  await page.locator("button[value=error]").click();
  await expect(page.getByRole("heading", { name: say("account:callback.provider.title") })).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: say("account:callback.login") })
    .click();

  await page.getByRole("button", { name: byGoogle }).click();
  await page.locator("input[name=login]").fill(`someone.${Date.now()}@example.com`);
  await page.locator("button.next").click();
  // Spec §3: continues to the page that they meant to open.
  await expect(page).toHaveURL(/\/memory\/new$/);
  await expect(page.getByRole("button", { name: say("memories:new.create") })).toBeVisible();
});

test("Google is linked and removed as a sign-in method; the page says that the last method stays", async ({
  visit,
  person,
}) => {
  const page = await visit({ as: await person("Ada") });
  await page.goto("/profile#waysIn");
  await expect(page.getByText(say("profile:waysIn.last"))).toBeVisible();
  await page.getByRole("button", { name: say("profile:waysIn.link", { name: "Google" }) }).click();
  await page.locator("input[name=login]").fill(`other.${Date.now()}@example.com`);
  await page.locator("button.next").click();
  await expect(page.getByText(say("account:callback.done.identity"), { exact: true })).toBeVisible();
  const remove = page.getByRole("button", { name: say("profile:waysIn.removeOne", { name: "Google" }) });
  await expect(remove).toBeVisible();
  await remove.click();
  await expect(page.getByText(say("profile:waysIn.removed", { name: "Google" }), { exact: true })).toBeVisible();
  await expect(page.getByText(say("profile:waysIn.last"))).toBeVisible();
});

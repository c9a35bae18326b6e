import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

test("Spec §4: a sign-out in one tab opens the start page in the others, and the navigation's own opens /login", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  const other = await page.context().newPage();
  await page.goto("/dashboard");
  await other.goto("/profile");
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(page).toHaveURL("/login");
  await expect(other).toHaveURL("/");
  await expect(other.getByText("Your Private Memory Portal").first()).toBeVisible();
  // Nobody's session has expired.
  await expect(page.getByText("Session expired. Please sign in again.")).toHaveCount(0);
});

test("Spec §8: a session that has expired is named on /login", async ({ visit, person, expectedErrors }) => {
  const say = textsIn("it");
  expectedErrors.push(/status of 400|Invalid Refresh Token/);
  const page = await visit({ as: await person("Ada"), language: "it" });
  // The token has expired and cannot be renewed.
  await page.addInitScript(() => {
    const stored = localStorage.getItem("skies-session");
    if (!stored) return;
    const ended = { ...JSON.parse(stored), expires_at: 1, refresh_token: "unknown" };
    localStorage.setItem("skies-session", JSON.stringify(ended));
  });
  await page.goto("/profile");
  await page
    .getByRole("main")
    .getByRole("link", { name: say("layout:fallback.signIn") })
    .click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByText(say("account:login.expired"), { exact: true })).toBeVisible();
});

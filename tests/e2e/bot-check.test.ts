import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { startProduct } from "../support/product-server.ts";
import { textsIn } from "../support/texts.ts";

// The server accepts nothing without a token, as in production.
test.use({ settings: { AUTH_BOT_CHECK: "true" } });
// The browser's console also shows the server's refusals.
test.use({ expectedErrors: [/status of 40[04]|nowhere\/api\.js/] });

// In one worker, because each worker would start such a server.
test.describe.configure({ mode: "default" });

const PASSWORD = "a chair in the garden";
let last = 0;
const address = () => `ada.${Date.now()}.${last++}@example.com`;

/** Sets the behaviour of the sandbox's widget, as its README describes. */
const choose = (page: Page, what: string) =>
  page.addInitScript((value) => sessionStorage.setItem("sandbox-bot-check", value), what);
const unwish = (page: Page) => page.evaluate(() => sessionStorage.removeItem("sandbox-bot-check"));

const say = textsIn("en");

const register = async (page: Page, email: string) => {
  await page.goto(`/register?email=${encodeURIComponent(email)}`);
  await page.getByLabel(say("account:fullName")).fill("Ada Rossi");
  await page.getByLabel(say("account:password"), { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say("account:register.submit") }).click();
};

test("people register, sign in and request a new password without answering the bot check", async ({ visit }) => {
  const email = address();
  const page = await visit();
  await register(page, email);
  await expect(page).toHaveURL("/");

  const other = await visit();
  await other.goto("/login");
  await other.getByLabel(say("account:email")).fill(email);
  await other.getByLabel(say("account:password"), { exact: true }).fill("not the password");
  await other.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(other.getByRole("alert")).toContainText(say("account:refusal.wrongCredentials"));
  // The second attempt needs a new token.
  await other.getByLabel(say("account:password"), { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(other).toHaveURL("/");

  const third = await visit();
  await third.goto("/forgotten-password");
  await third.getByLabel(say("account:email")).fill(email);
  await third.getByRole("button", { name: say("account:forgotten.submit") }).click();
  await expect(third.getByRole("heading", { name: say("account:inbox.title") })).toBeVisible();
});

test("a bot-check question appears below the button, and its answer completes the registration", {
  tag: "@sample",
}, async ({ visit }) => {
  const page = await visit();
  await choose(page, "interact");
  await register(page, address());
  const question = page.getByRole("button", { name: "Verify you are human" });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  // Above the button, it would have moved the button away from the pointer.
  const top = async (one: typeof question) => (await one.boundingBox())?.y ?? 0;
  expect(await top(question)).toBeGreaterThan(await top(page.locator("form button[type=submit]")));
  await question.click();
  await expect(page).toHaveURL("/");
});

test("a person mistaken for a bot reads the reason and can try again", async ({ visit }) => {
  const page = await visit();
  await choose(page, "refuse");
  await register(page, address());
  await expect(page.getByRole("alert")).toContainText(say("account:refusal.robot"));
  await unwish(page);
  const submit = page.getByRole("button", { name: say("account:register.submit") });
  // The token that was requested in advance still belongs to a program.
  await expect(async () => {
    if (new URL(page.url()).pathname === "/register") await submit.click({ timeout: 2_000 });
    await expect(page).toHaveURL("/", { timeout: 2_000 });
  }).toPass();
});

test("a bot-check script that fails to load does not block the form; the server refuses the request", async ({
  visit,
}) => {
  const server = await startProduct({
    AUTH_BOT_CHECK: "true",
    TURNSTILE_SITE_KEY: "0x1",
    TURNSTILE_SECRET_KEY: "0x2",
    TURNSTILE_SCRIPT_URL: "/nowhere/api.js",
  });
  const say = textsIn("en");
  const page = await visit();
  await page.goto(`${server.url}/login`);
  await page.getByLabel(say("account:email")).fill(address());
  await page.getByLabel(say("account:password"), { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(say("account:refusal.robot"));
  // An open page would report that its server has gone.
  await page.close();
  await server.close();
});

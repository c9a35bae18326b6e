import type { Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { newestMail } from "../support/mail-links.ts";
import type { ProductServer } from "../support/product-server.ts";
import { textsIn } from "../support/texts.ts";

// A new address has to be confirmed, as in production.
test.use({ settings: { AUTH_CONFIRM_EMAIL: "true" } });

// In one worker, because each worker would start such a server.
test.describe.configure({ mode: "default" });

const PASSWORD = "a chair in the garden";
let last = 0;
const address = () => `ada.${Date.now()}.${last++}@example.com`;

/** Creates a person with a confirmed address, through the service. */
async function createPerson(server: ProductServer) {
  const email = address();
  const service = createClient(server.url, server.keys.secret, { realtime: { transport: WebSocket as never } });
  const { error } = await service.auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { full_name: "Ada Rossi" },
  });
  expect(error).toBeNull();
  return email;
}

const say = textsIn("en");

test("Spec §4: a new account is confirmed by the link in its email, which works once", async ({ visit, server }) => {
  const email = address();
  const page = await visit();
  await page.goto(`/register?email=${encodeURIComponent(email)}`);
  await page.getByLabel(say("account:fullName")).fill("Ada Rossi");
  await expect(page.getByLabel(say("account:email"))).toHaveValue(email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say("account:register.submit") }).click();
  await expect(page.getByRole("heading", { name: say("account:inbox.title") })).toBeVisible();
  await expect(
    page.getByRole("button", { name: say("account:inbox.againIn", { seconds: 60 }).split("60")[0] }),
  ).toBeDisabled();

  const { link } = await newestMail(server, email, /verify/);
  const tab = await page.context().newPage();
  await tab.goto(link);
  await expect(tab.getByText(say("account:callback.done.signup"), { exact: true })).toBeVisible();
  await expect(tab.getByText(say("memories:list.emptyTitle"))).toBeVisible();
  // The tab in which the account was created continues by itself.
  await expect(page.getByText(say("memories:list.emptyTitle"))).toBeVisible();

  const again = await visit();
  await again.goto(link);
  await expect(again.getByRole("heading", { name: say("account:mailedLink.usedConfirmation.title") })).toBeVisible();
  await again
    .getByRole("main")
    .getByRole("link", { name: say("account:callback.login") })
    .click();
  await expect(again.getByRole("heading", { name: say("account:login.title") })).toBeVisible();
});

test("a forgotten password is replaced through an emailed link", async ({ visit, server }) => {
  const email = await createPerson(server);
  const page = await visit();
  await page.goto("/login");
  await page.getByRole("link", { name: say("account:login.forgotten") }).click();
  // Until the page is loaded, the field with this label is that of the sign-in form.
  await expect(page.getByRole("heading", { name: say("account:forgotten.title") })).toBeVisible();
  await page.getByLabel(say("account:email")).fill(email);
  await page.getByRole("button", { name: say("account:forgotten.submit") }).click();
  await expect(page.getByText(email)).toBeVisible();

  const { link } = await newestMail(server, email, /verify/);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: say("account:newPassword.title") })).toBeVisible();
  await page.getByLabel(say("account:newPassword.label")).fill("another chair in the shade");
  await page.getByRole("button", { name: say("account:newPassword.submit") }).click();
  await expect(page.getByText(say("account:newPassword.done"), { exact: true })).toBeVisible();

  const elsewhere = await visit();
  await elsewhere.goto("/login");
  await elsewhere.getByLabel(say("account:email")).fill(email);
  await elsewhere.getByLabel(say("account:password"), { exact: true }).fill("another chair in the shade");
  await elsewhere.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(elsewhere.getByText(say("memories:list.emptyTitle"))).toBeVisible();
});

test("/auth/callback names each outcome and links to the sign-in page", async ({ visit }) => {
  const page = await visit();
  const now = Math.floor(Date.now() / 1000);
  const session = (issued: number) =>
    `#access_token=a&refresh_token=r&token_type=bearer&expires_in=3600&expires_at=${issued + 3600}`;
  const outcomes = {
    "": "noCode",
    "?code=": "noCode",
    "#access_token=a": "noSession",
    [session(now)]: "notPkce",
    [session(now - 121)]: "stale",
    "?for=link#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid": "expired",
    "?for=social&error=access_denied&error_description=The+person+said+no": "cancelled",
    "?for=social&error=server_error&error_code=unexpected_failure": "provider",
    "?for=identity&error=server_error&error_code=identity_already_exists": "identityTaken",
    "?for=email#message=Confirmation+link+accepted": "half",
    "?for=link&code=from-another-browser": "otherBrowser",
    "?for=signup&code=from-another-browser": "confirmed",
    "?for=email&code=from-another-browser": "emailChanged",
  };
  for (const [rest, outcome] of Object.entries(outcomes)) {
    // A change of only the fragment would not reload the page.
    await page.goto("about:blank");
    await page.goto(`/auth/callback${rest}`);
    await expect(page.getByRole("heading", { name: say(`account:callback.${outcome}.title`) })).toBeVisible();
    await expect(page).toHaveURL(/\/auth\/callback$/);
    await expect(page.getByRole("main").getByRole("link", { name: say("account:callback.login") })).toBeVisible();
  }
});

/** Opens a page that requires a session, and requests a sign-in link. */
async function askForLink(page: Page, email: string) {
  await page.goto("/memory/new");
  await page
    .getByRole("main")
    .getByRole("link", { name: say("layout:fallback.signIn") })
    .click();
  await page.getByRole("button", { name: say("account:link.offer") }).click();
  await page.getByLabel(say("account:email")).fill(email);
  await page.getByRole("button", { name: say("account:link.submit") }).click();
  await expect(page.getByRole("heading", { name: say("account:inbox.title") })).toBeVisible();
}

test("a sign-in link signs in the browser that requested it, whose other tab leads to the requested page", async ({
  visit,
  server,
}) => {
  const email = await createPerson(server);
  const page = await visit();
  await askForLink(page, email);
  const tab = await page.context().newPage();
  await tab.goto((await newestMail(server, email, /verify/)).link);
  await expect(tab.getByText(say("memories:list.emptyTitle"))).toBeVisible();
  await expect(page).toHaveURL(/\/memory\/new$/);
  await expect(page.getByRole("button", { name: say("memories:new.create") })).toBeVisible();
});

test("a gateway with a script leaves a link to its person, who may use it in any browser, or the code", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 403/);
  const email = await createPerson(server);
  const page = await visit();
  await askForLink(page, email);
  const { link, code } = await newestMail(server, email, /verify/);
  const open = async () => {
    const elsewhere = await visit();
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole("heading", { name: say("account:mailedLink.magiclink.title") })).toBeVisible();
    await expect(elsewhere.getByText(email)).toBeVisible();
    return elsewhere;
  };
  await open();
  const tablet = await open();
  await expectAccessible(tablet);
  await tablet.getByRole("button", { name: say("account:mailedLink.magiclink.action") }).click();
  await expect(tablet.getByText(say("memories:list.emptyTitle"))).toBeVisible();

  await page.getByLabel(say("account:code")).fill(code);
  await page.getByRole("button", { name: say("account:inbox.submit") }).click();
  await expect(page.getByText(say("account:refusal.usedCode"))).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: say("account:mailedLink.used.title") })).toBeVisible();

  await page.goto("/memory/new");
  await askForLink(page, email);
  await expect.poll(async () => (await newestMail(server, email, /verify/)).link).not.toBe(link);
  const second = await newestMail(server, email, /verify/);
  const gateway = await visit();
  await gateway.goto(second.link);
  await expect(gateway.getByRole("heading", { name: say("account:mailedLink.magiclink.title") })).toBeVisible();
  await page.getByLabel(say("account:code")).fill(`${second.code.slice(0, 3)} ${second.code.slice(3)}`);
  await page.getByRole("button", { name: say("account:inbox.submit") }).click();
  // Spec §3: continues to the page that they meant to open.
  await expect(page).toHaveURL(/\/memory\/new$/);
  await expect(page.getByRole("button", { name: say("memories:new.create") })).toBeVisible();
});

test("sign-in reports empty fields, a wrong password, an unconfirmed address and a wrong code", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[03]/);
  const email = address();
  await server.client().auth.signUp({ email, password: PASSWORD });
  const page = await visit();
  await page.goto("/login");
  await page.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(page.getByText(say("account:problem.required"))).toHaveCount(2);
  await page.getByLabel(say("account:email")).fill(email);
  await page.getByLabel(say("account:password"), { exact: true }).fill("a wrong one");
  await page.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(page.getByText(say("account:refusal.wrongCredentials"))).toBeVisible();
  await page.getByLabel(say("account:password"), { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(page.getByText(say("account:refusal.notConfirmed"))).toBeVisible();
  await page.getByRole("button", { name: say("account:login.confirmAgain") }).click();
  await page.getByLabel(say("account:code")).fill("12345");
  await page.getByRole("button", { name: say("account:inbox.submit") }).click();
  await expect(page.getByText(say("account:problem.invalidCode"))).toBeVisible();
  const { code } = await newestMail(server, email, /verify/);
  await page.getByLabel(say("account:code")).fill(code === "000000" ? "111111" : "000000");
  await page.getByRole("button", { name: say("account:inbox.submit") }).click();
  await expect(page.getByText(say("account:refusal.wrongCode"))).toBeVisible();
  await page.goto("/new-password");
  await expect(page.getByRole("heading", { name: say("account:newPassword.closedTitle") })).toBeVisible();
});

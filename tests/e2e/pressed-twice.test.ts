import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { newestMail } from "../support/mail-links.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

/** Counts a page's requests with a method to a path. */
function countRequests(page: Page, method: string, path: string) {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && new URL(request.url()).pathname.endsWith(path)) count += 1;
  });
  return () => count;
}

/**
 * Presses a form's button twice at once, and submits the form again while the answer to the first request is delayed.
 */
async function pressOften(page: Page, button: Locator, path: RegExp) {
  let answer = () => {};
  const pressed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(path, async (route) => {
    if (route.request().method() === "POST") await pressed;
    await route.continue();
  });
  // The element, because a busy button may have another name.
  const element = await button.elementHandle();
  const requested = page.waitForRequest((request) => path.test(request.url()) && request.method() === "POST");
  await button.dblclick();
  await requested;
  await element?.evaluate((button) => (button as HTMLButtonElement).form?.requestSubmit());
  answer();
}

test("a button that is pressed twice creates one album", async ({ visit, person }) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await page.goto("/groups");
  await page
    .getByRole("button", { name: say("albums:new") })
    .first()
    .click();
  await page.getByLabel(say("albums:name")).fill("The Bellini family");
  await pressOften(page, page.getByRole("button", { name: say("albums:create") }), /\/rest\/v1\/albums/);
  await expect(page).toHaveURL(/\/groups\/[0-9a-f-]{36}$/);
  const { data: albums } = await ada.client.from("albums").select("name").throwOnError();
  expect(albums).toEqual([{ name: "The Bellini family" }]);
});

test("a button that is pressed twice puts one card into the cart", async ({ visit, person }) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await page.goto("/shop");
  await page.getByLabel(say("cards:words.name"), { exact: true }).fill("Rosa");
  await pressOften(page, page.getByRole("button", { name: say("cards:shop.add") }), /\/rest\/v1\/cart_items/);
  await expect(page.getByRole("link", { name: say("cards:shop.seeCart") })).toBeVisible();
  const { data: lines } = await ada.client.from("cart_items").select("quantity").throwOnError();
  expect(lines).toEqual([{ quantity: 1 }]);
});

test("a button that is pressed twice sends one message by the contact form", async ({ visit }) => {
  const page = await visit();
  await page.goto("/contact-us");
  const sent = countRequests(page, "POST", "/send-email");
  await page.getByLabel(say("contact:name")).fill("Nia");
  await page.getByLabel(say("contact:email")).fill("nia@example.com");
  await page.getByLabel(say("contact:subject")).fill("A card");
  await page.getByLabel(say("contact:message")).fill("Does it last?");
  await pressOften(page, page.getByRole("button", { name: say("contact:submit") }), /send-email$/);
  await expect(page.getByRole("heading", { name: say("contact:sent.title") })).toBeVisible();
  expect(sent()).toBe(1);
});

test("a button that is pressed twice saves a moment once", async ({ visit, person }) => {
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { person_name: "Rosa", birth_date: "1931-03-12" });
  const page = await visit({ as: ada });
  await page.goto(`/memory/${id}`);
  const saved = countRequests(page, "POST", "/rest/v1/memory_entries");
  await page.getByRole("button", { name: say("stories:life.add") }).click();
  await page.getByLabel(say("stories:entry.what"), { exact: true }).fill("School");
  await page.getByLabel(say("dateField:year"), { exact: true }).fill("1937");
  const button = page.getByRole("button", { name: say("stories:entry.save"), exact: true });
  await pressOften(page, button, /\/rest\/v1\/memory_entries/);
  await expect(page.getByRole("heading", { name: "School" })).toBeVisible();
  expect(saved()).toBe(1);
});

test.describe("where a new address is confirmed and gets one message a minute, as in production", () => {
  test.use({ settings: { AUTH_CONFIRM_EMAIL: "true", AUTH_MAIL_INTERVAL: "60" } });
  // In one worker, because each worker would start such a server.
  test.describe.configure({ mode: "default" });

  test("Spec §4: a person who presses the sign-up button twice gets one message, and types its code", async ({
    visit,
    server,
  }) => {
    const page = await visit();
    await page.goto("/register?email=twice@example.com");
    await page.getByLabel(say("account:fullName")).fill("Ada Rossi");
    await page.getByLabel(say("account:password"), { exact: true }).fill("a chair in the garden");
    const button = page.getByRole("button", { name: say("account:register.submit") });
    await pressOften(page, button, /\/auth\/v1\/signup/);
    await page.getByLabel(say("account:code")).fill((await newestMail(server, "twice@example.com", /verify/)).code);
    await page.getByRole("button", { name: say("account:inbox.submit") }).click();
    await expect(page.getByText(say("memories:list.emptyTitle"))).toBeVisible();
  });

  for (const [title, path, submit] of [
    ["a sign-in link", "/login", "account:link.submit"],
    ["a new password", "/forgotten-password", "account:forgotten.submit"],
  ] as const) {
    test(`a person who requests ${title} twice, also after a reload, can type the code`, async ({
      visit,
      server,
      expectedErrors,
    }) => {
      expectedErrors.push(/status of 429/);
      const email = `again${path.replace("/", ".")}@example.com`;
      await server.service().auth.admin.createUser({ email, email_confirm: true });
      const page = await visit();
      const open = async () => {
        await page.goto(path);
        if (path === "/login") await page.getByRole("button", { name: say("account:link.offer") }).click();
        await page.getByLabel(say("account:email")).fill(email);
      };
      await open();
      const button = page.getByRole("button", { name: say(submit) });
      await pressOften(page, button, /\/auth\/v1\/(otp|recover)/);
      await expect(page.getByLabel(say("account:code"))).toBeVisible();
      await page.unrouteAll();
      await open();
      await button.click();
      await expect(page.getByLabel(say("account:code"))).toBeVisible();
    });
  }
});

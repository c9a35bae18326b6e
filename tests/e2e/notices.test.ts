import type { Page } from "@playwright/test";
import { dateField, fillDate } from "../support/date-field.ts";
import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("it");

test("a signed-out person who opens a notice's link reads the comment after the sign-in", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const [memoryId, id] = [crypto.randomUUID(), crypto.randomUUID()];
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  await ada.client.from("comments").insert({ id, memory_id: memoryId, body: "Ricordi la barca?" }).throwOnError();
  const more = Array.from({ length: 20 }, (_, number) => ({ memory_id: memoryId, body: `${number}` }));
  await ada.client.from("comments").insert(more).throwOnError();

  const page = await visit({ language: "it" });
  await page.goto(`/memory/${memoryId}#comment-${id}`);
  await page
    .getByRole("main")
    .getByRole("link", { name: say("layout:fallback.signIn") })
    .click();
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/memory/${memoryId}#comment-${id}$`));
  await expect(page.locator(`#comment-${id}`)).toBeInViewport();
});

test("a new comment appears as a notice at once and is emailed, in the recipient's language", async ({
  visit,
  person,
  server,
}) => {
  const [ada, gina] = [await person("Ada"), await person("Gina Rossi")];
  const memoryId = crypto.randomUUID();
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  const member = { memory_id: memoryId, user_id: gina.id, role: "contributor" };
  await server.service().from("memory_members").insert(member).throwOnError();

  const page = await visit({ as: ada, language: "it", viewport: { width: 1280, height: 900 } });
  const events = hears(page, "notices");
  await page.goto("/profile#notices");
  const settings = page.getByRole("region", { name: say("profile:notices.title") });
  // Clicked and checked separately, because the radio button shows the stored setting.
  const instantly = settings.getByRole("radio", { name: say("notices:settings.mail.instantly") });
  await instantly.click();
  await expect(instantly).toBeChecked();
  // One below the other, so that no option stands alone on a second line.
  const radios = await settings
    .getByRole("radio")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  expect(new Set(radios).size).toBe(1);
  await settings.getByRole("button", { name: say("notices:settings.pause.week") }).click();
  await settings.getByRole("button", { name: say("notices:settings.pause.end") }).click();
  const storedSettings = () => ada.client.from("notice_settings").select("mail,paused_until,language").maybeSingle();
  await expect
    .poll(async () => (await storedSettings()).data)
    .toEqual({ mail: "instantly", paused_until: null, language: "it" });

  // A pause until a typed day: a day that has passed is refused.
  const pauseDay = dateField(settings, say("notices:settings.pause.day"));
  const start = settings.getByRole("button", { name: say("notices:settings.pause.start") });
  await fillDate(pauseDay, say, { day: "5", month: "3", year: "2020" });
  await start.click();
  await expect(settings.getByRole("alert")).toHaveText(say("notices:settings.pause.wrong"));
  const year = String(new Date().getFullYear() + 2);
  await fillDate(pauseDay, say, { day: "5", month: "3", year });
  await start.click();
  await expect.poll(async () => (await storedSettings()).data?.paused_until).toBe(`${year}-03-05`);
  await settings.getByRole("button", { name: say("notices:settings.pause.end") }).click();
  await expect.poll(async () => (await storedSettings()).data?.paused_until).toBeNull();

  const bell = page.getByRole("banner").getByRole("button", { name: say("notices:bell"), exact: true });
  await bell.click();
  await expect(page.getByText(say("notices:emptyText"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(bell).toBeFocused();
  await events;
  const id = crypto.randomUUID();
  await gina.client.from("comments").insert({ id, memory_id: memoryId, body: "Ricordi la barca?" }).throwOnError();
  const phrase = say("notices:said.comment", { who: "Gina Rossi" });
  await expect(page.getByRole("status").filter({ hasText: say("notices:new", { text: phrase }) })).toBeAttached();
  // Before the notice is read: what a person has read is not emailed.
  const inbox = async () => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(ada.email)}`);
    return ((await reply.json()) as { messages: { subject: string; text: string }[] }).messages;
  };
  const subject = "Una novità nei tuoi ricordi";
  await expect.poll(async () => (await inbox()).map((email) => email.subject)).toContain(subject);
  expect((await inbox()).find((email) => email.subject === subject)?.text).toContain(
    "Gina Rossi ha scritto un commento",
  );
  // Many comments follow, so that the page does not load hers at first.
  const more = Array.from({ length: 52 }, (_, number) => ({ memory_id: memoryId, body: `${number}` }));
  await ada.client.from("comments").insert(more).throwOnError();
  await page.getByRole("button", { name: say("notices:bellWith_one") }).click();
  const panel = page.getByRole("dialog", { name: say("notices:title") });
  await expect(panel.getByRole("link", { name: phrase })).toContainText("Nonna Rosa");
  await panel.getByRole("link", { name: phrase }).click();
  await expect(page).toHaveURL(new RegExp(`/memory/${memoryId}#comment-${id}$`));
  await expect(page.locator(`#comment-${id}`)).toBeInViewport();
  await expect(bell).toBeVisible();

  await page.goto("/notices");
  await page.setViewportSize({ width: 360, height: 740 });
  await gina.client.from("comments").insert({ memory_id: memoryId, body: "E la canzone?" }).throwOnError();
  await expect(page.getByRole("link", { name: say("notices:bellWith_one") })).toBeVisible();
  await expect(page.getByRole("link", { name: phrase })).toHaveCount(2);
  await page.getByRole("button", { name: say("notices:markAll") }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: say("notices:bell"), exact: true })).toBeVisible();

  await page.goto(`/memory/${memoryId}`);
  await page.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("notices:memory.open"), exact: true })
    .click();
  await expect(page.getByRole("dialog", { name: say("notices:memory.title"), exact: true })).toBeVisible();
});

/**
 * Resolves when a page that is opened after the call receives changes of a table. Earlier changes are read, not
 * received.
 */
const hears = (page: Page, table: string): Promise<unknown> =>
  page
    .waitForEvent("websocket")
    .then((socket) => socket.waitForEvent("framereceived", ({ payload }) => payload.includes(table)));

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const button = (page: Page, key: Parameters<typeof say>[0], values?: Parameters<typeof say>[1]) =>
  page.getByRole("button", { name: say(key, values), exact: true });
const field = (page: Page, about: "who" | "when" | "where") => page.getByLabel(say(`letter:${about}.label`));
const photoTitle = (page: Page, number: number, count: number) =>
  page.getByRole("heading", { name: say("letter:photo.title", { number, count }) });

test("Aunt May answers about two photos by a link, and a host accepts who, when and where", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"), {
    person_name: "Rosa Bellini",
  });
  const host = await visit({ as: ada, viewport: { width: 360, height: 740 } });
  await host.goto(`/memory/${memory.id}`);
  await toGallery(host);
  await button(host, "gallery:select.start").click();
  await button(host, "gallery:select.all").click();
  await button(host, "pictured:askOne").click();
  await button(host, "questions:ask.make").click();
  await expect(host.getByText(say("questions:ask.recipientMissing"), { exact: true })).toBeVisible();
  await host.getByLabel(say("questions:ask.recipient")).fill("Aunt May");
  await host.getByLabel(say("questions:ask.note")).fill("You were there!");
  await expectAccessible(host);
  await button(host, "questions:ask.make").click();
  const link = await host.getByLabel(say("questions:link.label", { name: "Aunt May" })).inputValue();

  // She has no account, a small phone, and a keyboard.
  const may = await visit({ viewport: { width: 360, height: 740 } });
  await may.goto(link);
  await expect(may.getByText("You were there!")).toBeVisible();
  await expectAccessible(may);
  await button(may, "letter:start.begin").click();
  await expect(photoTitle(may, 1, 2)).toBeFocused();
  await expect(may.getByRole("img", { name: say("letter:photo.alt", { number: 1, count: 2 }) })).toBeVisible();
  await field(may, "who").fill("Rosa");
  await field(may, "when").fill("about 1962");
  await field(may, "where").fill("At the sea in Rimini");
  await expectAccessible(may);
  // A double tap sends one answer and goes one photo further.
  await button(may, "letter:next").dblclick();
  await expect(photoTitle(may, 2, 2)).toBeVisible();
  await button(may, "letter:skipLast").click();
  await expect(may.getByRole("heading", { name: say("letter:done.title", { recipient: "Aunt May" }) })).toBeVisible();
  await expectAccessible(may);
  const { data: stored } = await ada.client.from("photo_answers").select("about,answer").order("about").throwOnError();
  expect(stored).toEqual([
    { about: "when", answer: "about 1962" },
    { about: "where", answer: "At the sea in Rimini" },
    { about: "who", answer: "Rosa" },
  ]);

  // The host accepts all three.
  await button(host, "questions:link.close").click();
  await host.goto(`/memory/${memory.id}/questions`);
  const line = (answer: string) => host.getByRole("listitem").filter({ hasText: answer }).last();
  const accept = async (answer: string) =>
    line(answer)
      .getByRole("button", { name: say("questions:answers.accept") })
      .click();
  await accept("Rosa");
  await host.getByRole("combobox").press("Enter");
  await button(host, "questions:accept.save").click();
  await expect(host.getByRole("dialog")).toHaveCount(0);
  await accept("about 1962");
  await expectAccessible(host);
  await button(host, "gallery:date.save").click();
  await expect(host.getByRole("dialog")).toHaveCount(0);
  await accept("At the sea in Rimini");
  await button(host, "questions:accept.save").click();
  await expect(host.getByRole("dialog")).toHaveCount(0);
  await expect(host.getByText(say("questions:answers.states.accepted"), { exact: true })).toHaveCount(3);
  await expectAccessible(host);
  const { data: names } = await ada.client.from("media_names").select("person:pictured_people(name)").throwOnError();
  expect(names).toEqual([{ person: { name: "Rosa" } }]);
  const { data: photos } = await ada.client
    .from("media")
    .select("taken_at,caption")
    .like("caption", "%Rimini")
    .throwOnError();
  expect(photos).toMatchObject([{ taken_at: "1962~", caption: expect.stringMatching(/ · At the sea in Rimini$/) }]);

  // The last one is taken back, and only she can change that one then.
  await button(host, "questions:answers.undo").click();
  await expect(host.getByText(say("questions:answers.states.accepted"), { exact: true })).toHaveCount(2);
  await expect
    .poll(async () => (await ada.client.from("media").select("id").like("caption", "%Rimini").throwOnError()).data)
    .toEqual([]);
  await may.goto(link);
  await may.reload();
  await button(may, "letter:start.begin").click();
  await expect(field(may, "where")).toHaveValue("At the sea in Rimini");
  await expect(field(may, "who")).toHaveCount(0);
  await expect(may.getByText(say("letter:accepted", { asker: "Ada" })).first()).toBeVisible();
});

test("what was typed survives a reload and a lost network, and is sent when it is back", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|WebSocket connection/);
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const link = await linkTo(ada, memory.id);
  const may = await visit();
  await may.goto(link);
  await button(may, "letter:start.only").click();
  await expect(photoTitle(may, 1, 1)).toBeVisible();
  await field(may, "when").fill("The summer of 1962");
  await may.reload();
  await button(may, "letter:start.only").click();
  await expect(field(may, "when")).toHaveValue("The summer of 1962");
  await may.context().setOffline(true);
  await button(may, "letter:last").press("Enter");
  await expect(may.getByRole("alert").filter({ hasText: say("letter:paused") })).toBeVisible();
  await expect(field(may, "when")).toHaveValue("The summer of 1962");
  await may.context().setOffline(false);
  await expect(may.getByRole("heading", { name: say("letter:done.title", { recipient: "Aunt May" }) })).toBeVisible();
  const { data } = await ada.client.from("photo_answers").select("answer").throwOnError();
  expect(data).toEqual([{ answer: "The summer of 1962" }]);
});

test("a question that the host withdraws closes on the open page, and opens again by an undo", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/the server responded with a status of (401|404|410|403)/);
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const link = await linkTo(ada, memory.id);
  const may = await visit();
  await may.goto(link);
  await button(may, "letter:start.only").click();
  await expect(may.getByRole("img")).toBeVisible();
  const host = await visit({ as: ada });
  await host.goto(`/memory/${memory.id}/questions`);
  await button(host, "questions:letters.withdraw").click();
  await expect(may.getByRole("heading", { name: say("letter:ended.title") })).toBeVisible();
  await expect(may.getByRole("img", { name: say("letter:photo.alt", { number: 1, count: 1 }) })).toHaveCount(0);
  await button(host, "questions:answers.undo").click();
  await may.reload();
  await expect(button(may, "letter:start.only")).toBeVisible();

  // A photo that is hidden leaves the open page.
  await button(may, "letter:start.only").click();
  await expect(photoTitle(may, 1, 1)).toBeVisible();
  const { data: photos } = await ada.client.from("media").select("id").eq("memory_id", memory.id).throwOnError();
  await ada.client
    .rpc("moderate", { items: [{ kind: "media", id: photos?.[0]?.id }], decision: "hidden" })
    .throwOnError();
  await expect(may.getByRole("heading", { name: say("letter:none.title") })).toBeVisible();

  // A new link ends the first one.
  await host.reload();
  await button(host, "questions:letters.newLink").click();
  await expect(host.getByRole("textbox", { name: say("questions:link.label", { name: "Aunt May" }) })).toBeVisible();
  await may.reload();
  await expect(may.getByRole("heading", { name: say("letter:ended.title") })).toBeVisible();
});

test("from an open photo one person is asked about it", async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  const host = await visit({ as: ada, viewport: { width: 360, height: 740 } });
  await host.goto(`/memory/${memory.id}`);
  await toGallery(host);
  await tiles(host).getByRole("link").click();
  await button(host, "pictured:edit").click();
  await button(host, "pictured:askOne").click();
  await host.getByLabel(say("questions:ask.recipient")).fill("Aunt May");
  await expectAccessible(host);
  await host.keyboard.press("Enter");
  await expect(host.getByRole("textbox", { name: say("questions:link.label", { name: "Aunt May" }) })).toHaveValue(
    /\/answer#[0-9a-f]{64}$/,
  );
  await button(host, "questions:link.close").click();
  // The photo is still open.
  await expect(button(host, "pictured:askOne")).toBeVisible();
});

test("Skies emails the link in her language, and it opens the question", async ({ visit, person, server }) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"));
  await linkTo(ada, memory.id);
  const host = await visit({ as: ada, viewport: { width: 360, height: 740 } });
  await host.goto(`/memory/${memory.id}/questions`);
  await button(host, "questions:letters.newLink").click();
  const address = host.getByLabel(say("questions:mail.label"));
  await address.fill("may@");
  await button(host, "questions:mail.send").click();
  await expect(host.getByText(say("questions:mail.invalid"), { exact: true })).toBeVisible();
  const to = `may-${randomUUID()}@example.com`;
  await address.fill(to);
  await host.getByLabel(say("questions:mail.language")).selectOption("it");
  await expectAccessible(host);
  await button(host, "questions:mail.send").click();
  await expect(host.getByText(say("questions:mail.sent", { email: to }))).toBeVisible();

  const texts = async () => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
    return ((await reply.json()) as { messages: { text: string }[] }).messages.map(({ text }) => text);
  };
  await expect.poll(async () => (await texts()).length, { timeout: 180_000 }).toBe(1);
  const [text = ""] = await texts();
  expect(text).toContain("Aunt May, Ada vorrebbe sapere di più");
  const [link = ""] = text.match(/https?:\/\/\S+\/answer#[0-9a-f]{64}/) ?? [];
  const may = await visit();
  await may.goto(link);
  await expect(button(may, "letter:start.only")).toBeVisible();
});

async function linkTo(ada: Person, memoryId: string) {
  const { data: photos } = await ada.client.from("media").select("id").eq("memory_id", memoryId).throwOnError();
  const { data: key } = await ada.client
    .rpc("ask_about_photos", {
      letter_id: crypto.randomUUID(),
      memory_id: memoryId,
      media_ids: photos?.map(({ id }) => id),
      recipient: "Aunt May",
      note: "",
    })
    .throwOnError();
  return `/answer#${key}`;
}

import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import type { Person } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";

const memoriesOf = async ({ client }: Person) => {
  const { data } = await client.from("memories").select("person_name,draft").order("created_at").throwOnError();
  return data.map(({ person_name, draft }) => (draft ? `${person_name} (draft)` : person_name));
};

test("a draft that was published in another tab is not overwritten, and the text of the old tab can become a memory", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const name = (page: Page) => page.getByLabel(say("memories:fields.name"), { exact: true });
  const create = (page: Page) => page.getByRole("button", { name: say("memories:new.create") });
  const ada = await person("Ada", { plan: "skies-memories" });
  await ada.client.from("memories").insert({ person_name: "Begun", draft: true }).throwOnError();
  const old = await visit({ as: ada });
  await old.goto("/memory/new");
  await expect(name(old)).toHaveValue("Begun");

  const tab = await old.context().newPage();
  await tab.goto("/memory/new");
  await name(tab).fill("Rosa");
  await create(tab).click();
  await expect(tab).toHaveURL(/\/memory\/[0-9a-f-]{36}$/);

  // The text is saved by itself, which finds the published memory.
  await name(old).fill("Aldo");
  const question = old.getByRole("dialog", { name: say("memories:new.publishedTitle") });
  await expect(question).toBeVisible();
  await old.keyboard.press("Escape");
  await create(old).click();
  await expect(question.getByRole("link", { name: say("memories:new.openPublished") })).toBeVisible();
  expect(await memoriesOf(ada)).toEqual(["Rosa"]);
  await question.getByRole("button", { name: say("memories:new.startNew") }).click();
  await expect(name(old)).toHaveValue("Aldo");
  await expect.poll(() => memoriesOf(ada)).toEqual(["Rosa", "Aldo (draft)"]);
  await create(old).click();
  await expect(old).toHaveURL(/\/memory\/[0-9a-f-]{36}$/);
  expect(await memoriesOf(ada)).toEqual(["Rosa", "Aldo"]);
});

test("of two tabs with the same draft, neither overwrites the other's words unseen", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const say = textsIn("en");
  const name = (page: Page) => page.getByLabel(say("memories:fields.name"), { exact: true });
  const ada = await person("Ada");
  await ada.client.from("memories").insert({ person_name: "Begun", draft: true }).throwOnError();
  const tab = await visit({ as: ada });
  await tab.goto("/memory/new");
  await expect(name(tab)).toHaveValue("Begun");
  const other = await tab.context().newPage();
  await other.goto("/memory/new");
  await expect(name(other)).toHaveValue("Begun");

  await name(other).fill("Rosa");
  await expect.poll(() => memoriesOf(ada)).toEqual(["Rosa (draft)"]);
  await name(tab).fill("Aldo");
  const question = tab.getByRole("dialog", { name: say("conflict:title") });
  await expect(question.getByText("Rosa", { exact: true })).toBeVisible();
  await expect(question.getByText("Aldo", { exact: true })).toBeVisible();
  expect(await memoriesOf(ada)).toEqual(["Rosa (draft)"]);
  await question.getByRole("button", { name: say("conflict:useTheirs") }).click();
  await expect(name(tab)).toHaveValue("Rosa");
  await expect(question).toHaveCount(0);

  // What only one tab changes is shown in the other, and needs no choice.
  await name(tab).fill("Rosa Bianchi");
  await expect.poll(() => memoriesOf(ada)).toEqual(["Rosa Bianchi (draft)"]);
  await tab.getByRole("button", { name: say("memories:new.create") }).click();
  await expect(tab).toHaveURL(/\/memory\/[0-9a-f-]{36}$/);
  expect(await memoriesOf(ada)).toEqual(["Rosa Bianchi"]);
});

test("discarding a draft leaves a memory alone that was published from it in another tab", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const say = textsIn("it");
  const ada = await person("Ada");
  await ada.client.from("memories").insert({ person_name: "Rosa", draft: true }).throwOnError();
  const old = await visit({ as: ada, language: "it" });
  await old.goto("/memory/new");
  const discard = old.getByRole("button", { name: say("memories:new.discard") });
  await discard.click();
  await ada.client.from("memories").update({ draft: false }).eq("draft", true).throwOnError();
  await discard.last().click();
  await expect(old.getByRole("dialog")).toHaveCount(0);
  expect(await memoriesOf(ada)).toEqual(["Rosa"]);
});

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { GIGABYTE } from "../../shared/storage.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import type { Person } from "../support/people.ts";
import { growPhotos } from "../support/plans.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

/** Creates a published memory with a small photo of each of these names. */
async function keepMemory({ client }: Person, name: string, photos: string[]): Promise<string> {
  const data = await newMemory(client, { person_name: name });
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  for (const filename of photos) {
    const { error } = await client.storage
      .from("media")
      .upload(`${data.id}/${randomUUID()}.jpg`, bytes, { contentType: "image/jpeg", metadata: { filename } });
    if (error) throw error;
  }
  return data.id;
}

/** Checks the text and the colour of the ring in the navigation. */
const expectRing = async (page: Page, says: string, colour: "blue" | "amber" | "red") => {
  const ring = page.getByRole("navigation").getByRole("link", { name: says });
  await expect(ring).toBeVisible();
  const arc = ring.locator("circle").nth(1);
  const label = await arc.evaluate((_arc, name) => {
    const sample = document.body.appendChild(document.createElement("i"));
    sample.style.color = `var(--${name})`;
    const { color } = getComputedStyle(sample);
    sample.remove();
    return color;
  }, colour);
  await expect(arc).toHaveCSS("stroke", label);
};

/** The texts of a language, and those of the ring in it. */
function speaking(language: "en" | "it") {
  const say = textsIn(language);
  const number = (text: string) => (language === "it" ? text.replace(".", ",") : text).replace(" ", "\u00a0");
  const used = (how: "used" | "usedNear" | "usedFull", size: string, limit: string, percent: number) =>
    say(`plans:storage.${how}`, { used: number(size), limit: number(limit), percent: `${percent}%` });
  return { say, number, used };
}

test("Spec §4: the ring shows the used storage, and the dashboard frees storage by deleting photos", async ({
  server,
  visit,
  person,
}) => {
  const { say, number, used } = speaking("en");
  const ada = await person("Ada");
  const memoryId = await keepMemory(ada, "Rosa Bellini", ["a-film.jpg", "b-garden.jpg", "c-hat.jpg"]);
  const sizes = [0.5, 0.3, 0.15].map((share) => Math.floor(share * GIGABYTE));
  await server.change((db) => growPhotos(db, ada.id, sizes));

  const page = await visit({ as: ada });
  await page.goto(`/memory/${memoryId}`);
  const notice = page.getByRole("complementary", { name: say("plans:notice.region") });
  await expect(notice).toContainText(say("plans:notice.full", { percent: "95%", left: number("51.2 MB") }));
  await expectAccessible(page);
  await notice.getByRole("button", { name: say("plans:notice.dismiss") }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expectRing(page, used("usedFull", "973 MB", "1 GB", 95), "red");
  await expect(notice).toHaveCount(0);

  await page
    .getByRole("navigation")
    .getByRole("link", { name: used("usedFull", "973 MB", "1 GB", 95) })
    .click();
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByText(say("dashboard:storage.full", { left: number("51.2 MB") }))).toBeVisible();
  await expectAccessible(page);
  const rows = page.getByRole("link", { name: /\.jpg/ });
  await expect(rows).toHaveText([/a-film/, /b-garden/, /c-hat/]);
  const opens = await rows.nth(1).getAttribute("href");

  const remove = (name: string) =>
    page.getByRole("button", { name: say("dashboard:largest.delete", { name }), exact: true }).click();
  await remove("b-garden.jpg");
  await expect(rows).toHaveText([/a-film/, /c-hat/]);
  await page.getByRole("button", { name: say("media:delete.undo") }).click();
  await expect(rows).toHaveText([/a-film/, /b-garden/, /c-hat/]);
  // Deleted files count until the trash is emptied.
  await remove("c-hat.jpg");
  await remove("b-garden.jpg");
  await expect(rows).toHaveText([/a-film/]);
  await expect(
    page.getByText(say("dashboard:storage.trash", { size: number("461 MB") }), { exact: true }),
  ).toBeVisible();
  await expectRing(page, used("usedFull", "973 MB", "1 GB", 95), "red");
  const trash = page.getByRole("region", { name: say("trash:title") });
  const confirm = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await trash.getByRole("button", { name: say("trash:deleteNamed", { name: "c-hat.jpg" }) }).click();
  await confirm(say("trash:deleteForever"));
  await expectRing(page, used("usedNear", "819 MB", "1 GB", 80), "amber");
  await trash.getByRole("button", { name: say("trash:emptyAll") }).click();
  await confirm(say("trash:emptyAll"));
  await expectRing(page, used("used", "512 MB", "1 GB", 50), "blue");
  expect(opens).toMatch(new RegExp(`^/memory/${memoryId}\\?photo=`));
  await rows.first().click();
  await expect(page.getByRole("button", { name: say("media:lightbox.close") })).toBeVisible();
});

test("the memory limit is shown before a memory is saved, and a changed plan applies at once", async ({
  server,
  visit,
  person,
  expectedErrors,
}) => {
  const { say, used } = speaking("it");
  // The server's own refusal of a second memory.
  expectedErrors.push(/memories.*status of 402/);
  const ada = await person("Ada");
  const page = await visit({ as: ada, language: "it" });
  await page.goto("/memory/new");
  const name = page.getByLabel(say("memories:fields.name"), { exact: true });
  await expect(name).toBeVisible();
  await keepMemory(ada, "Rosa Bellini", []);
  await name.fill("Another");
  await expect(page.getByText(say("plans:memoryLimit.raced"))).toBeVisible();

  const other = await visit({ as: ada, language: "it" });
  await other.goto("/memory/new");
  await expect(other.getByRole("heading", { name: say("plans:memoryLimit.title", { count: 1 }) })).toBeVisible();
  await other.getByRole("link", { name: say("plans:memoryLimit.plans") }).click();
  await expect(other.getByRole("heading", { level: 1, name: say("pricing:subscribe.heading") })).toBeVisible();
  await expect(other.getByRole("region", { name: "Skies Starter" })).toBeVisible();
  await other.goto("/dashboard");
  const yours = other.getByRole("region", { name: say("dashboard:plan.title") });
  await expect(yours).toContainText("Skies Starter");

  const grant = { email: ada.email, plan: "skies-memories" };
  await server.service().rpc("grant_plan", grant).throwOnError();
  await expect(yours).toContainText("Skies Memories");
  await expect(other.getByText(say("dashboard:plan.memoriesFree", { count: 1 }))).toBeVisible();
  await expect(other.getByRole("link", { name: used("used", "0 B", "100 GB", 0) })).toBeVisible();

  await server
    .service()
    .from("user_subscriptions")
    .update({ starts_at: "2020-01-01", expires_at: "2021-03-04" })
    .eq("user_id", ada.id)
    .throwOnError();
  await expect(yours).toContainText("Skies Starter");
  await expect(other.getByText(say("dashboard:plan.lapsedText"))).toBeVisible();
});

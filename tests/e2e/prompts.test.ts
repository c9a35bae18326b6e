import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const en = textsIn("en");
const it = textsIn("it");

test("hosts ask, guests without an account answer with photos and words, and the answers gather on the card", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { kind: "event", person_name: "Rosa e Ugo" });
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "contribute" }, "share_id");
  const host = await visit({ as: ada });
  await host.goto(`/memory/${memory.id}`);
  const prompts = host.getByRole("region", { name: en("prompts:hostTitle"), exact: true });
  const add = prompts.getByRole("button", { name: en("prompts:add"), exact: true });
  await add.click();
  await expectAccessible(host);
  await shoot(host, "prompt-form");
  await host.getByRole("button", { name: en("prompts:suggestions.table"), exact: true }).click();
  await add.click();
  await host.getByLabel(en("prompts:form.own"), { exact: true }).fill("What did Ugo whisper?");
  await host.getByRole("button", { name: en("prompts:form.save"), exact: true }).click();
  await expect(prompts.getByRole("listitem").filter({ hasText: "What did Ugo whisper?" })).toBeVisible();

  // The suggestion is in the guest's language, the hosts' own words as they are.
  const guest = await visit({ ...PHONE, language: "it" });
  await guest.goto(`/shared/${link.share_id}`);
  const cards = guest.getByRole("region", { name: it("prompts:title"), exact: true });
  const cardOf = (page: Page, text: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: text, exact: true }) });
  const table = cardOf(guest, it("prompts:suggestions.table"));
  await expect(table).toBeVisible();
  await expect(cards.getByText(it("prompts:answersNone"), { exact: true })).toHaveCount(2);
  const picker = guest.waitForEvent("filechooser");
  await table.getByRole("button", { name: it("prompts:photo"), exact: true }).click();
  await (await picker).setFiles(await noise("table.jpg"));
  await guest.getByRole("dialog").getByLabel(it("guests:sign.name"), { exact: true }).fill("Gina");
  await guest.keyboard.press("Enter");
  await expect(table.getByRole("link")).toHaveCount(1, { timeout: 180_000 });
  const whisper = cardOf(guest, "What did Ugo whisper?");
  await whisper.getByRole("button", { name: it("prompts:words"), exact: true }).click();
  await guest.getByRole("textbox", { name: it("prompts:write.label"), exact: true }).fill("Ti amo");
  await guest.getByRole("button", { name: it("prompts:write.send"), exact: true }).click();
  await expect(whisper.getByText("Ti amo")).toBeVisible();
  await cards.scrollIntoViewIfNeeded();
  await expectAccessible(guest);
  await shoot(guest, "prompt-guest");

  // Live on the host's page, and an ordinary comment as well.
  const hosts = cardOf(host, "What did Ugo whisper?");
  await expect(hosts.getByText("Ti amo")).toBeVisible();
  await expect(cardOf(host, en("prompts:suggestions.table")).getByRole("link")).toHaveCount(1);
  await expect(host.locator("#conversation").getByText("Ti amo")).toBeVisible();
  await prompts.scrollIntoViewIfNeeded();
  await shoot(host, "prompt-host");

  // Order, and removal with undo; then the answers stay.
  const menu = hosts.getByRole("button", { name: en("prompts:menu.open"), exact: true });
  await menu.click();
  await host.getByRole("menuitem", { name: en("prompts:menu.up"), exact: true }).click();
  await expect(
    guest
      .getByRole("heading", { level: 3 })
      .filter({ hasText: /whisper|tavolo/ })
      .first(),
  ).toHaveText("What did Ugo whisper?");
  await menu.click();
  await host.getByRole("menuitem", { name: en("prompts:menu.remove"), exact: true }).click();
  await expect(hosts).toHaveCount(0);
  await host.getByRole("button", { name: en("prompts:undo"), exact: true }).click();
  await expect(hosts.getByText("Ti amo")).toBeVisible();
  await menu.click();
  await host.getByRole("menuitem", { name: en("prompts:menu.remove"), exact: true }).click();
  await host.reload();
  await expect(host.locator("#conversation").getByText("Ti amo")).toBeVisible();
  await expect(hosts).toHaveCount(0);
});

async function shoot(page: Page, name: string) {
  const folder = process.env.REVEAL_SHOTS;
  if (!folder) return;
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
  }
}

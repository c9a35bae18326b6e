import { readFile } from "node:fs/promises";
import { expectAccessible } from "../support/accessibility.ts";
import { dayAfter } from "../support/date-field.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("hosts ask who comes, households reply by a link without an account, and the list, totals and table agree", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { kind: "event", person_name: "Our wedding", event_date: dayAfter(20) });
  for (const [title, part] of [
    ["Ceremony", "ceremony"],
    ["Dinner", "dinner"],
  ] as const) {
    const changes = { title, part, on_date: dayAfter(20), time_zone: "Europe/Rome" };
    const args = { memory_id: memory.id, part_id: crypto.randomUUID(), changes };
    await ada.client.rpc("save_day_part", args).throwOnError();
  }
  // A link for looking only.
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id }, "share_id");
  const page = await visit({ as: ada, timezoneId: "Europe/Rome" });
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: say("dayReplies:host.ask") }).click();
  await page.getByLabel(say("dayReplies:settings.closes")).fill(`${dayAfter(10)}T20:00`);
  await page.getByLabel(say("dayReplies:settings.places"), { exact: true }).fill("2");
  await page.getByRole("button", { name: say("dayReplies:suggestions.bus.text"), exact: true }).click();
  await page.getByRole("button", { name: say("dayReplies:settings.addQuestion"), exact: true }).click();
  const save = page.getByRole("button", { name: say("dayReplies:settings.save"), exact: true });
  await save.click();
  await expect(page.getByText(say("dayReplies:settings.errors.question"), { exact: true })).toBeVisible();
  await page.getByLabel(say("dayReplies:settings.question", { number: 2 }), { exact: true }).fill("A song?");
  await expectAccessible(page);
  await save.click();
  const host = page.getByRole("region", { name: say("dayReplies:hostTitle"), exact: true });
  await expect(host.getByText(say("dayReplies:host.none"))).toBeVisible();

  const guest = await visit({ ...PHONE, timezoneId: "Europe/London" });
  await guest.goto(`/shared/${link.share_id}`);
  const box = guest.getByRole("region", { name: say("dayReplies:title"), exact: true });
  await expect(box.getByText(/Please reply until/)).toBeVisible();
  await box.getByRole("button", { name: say("dayReplies:own.reply"), exact: true }).click();
  const send = guest.getByRole("button", { name: say("dayReplies:form.send"), exact: true });
  await send.click();
  await expect(guest.getByText(say("dayReplies:form.errors.answer"))).toBeVisible();
  await expect(guest.getByText(say("dayReplies:form.errors.name"))).toBeVisible();
  await guest.getByText(say("dayReplies:answers.yes"), { exact: true }).click();
  await guest.getByLabel(say("dayReplies:form.name"), { exact: true }).fill("Gina Rossi");
  await guest.getByRole("button", { name: say("dayReplies:form.add"), exact: true }).click();
  await guest.getByLabel("Ceremony", { exact: true }).click();
  await guest.getByLabel("Only there", { exact: true }).click();
  await guest.getByLabel("A song?", { exact: true }).fill("Azzurro");
  await guest.getByLabel(say("dayReplies:form.note"), { exact: true }).fill("=With joy");
  await expectAccessible(guest);
  await send.dblclick();
  await expect(box.getByText("You come: Gina Rossi, Guest of Gina Rossi. To: Dinner")).toBeVisible();
  await expectAccessible(guest);

  // The hosts' open page tells it by itself.
  await expect(host.getByText("2 come")).toBeVisible();
  await expect(host.getByText("2 of 2 places are taken.")).toBeVisible();
  await expect(host.getByText("Ceremony: 0 persons")).toBeVisible();
  await expect(host.getByText("Only there: 1")).toBeVisible();
  await expect(host.getByText("Azzurro", { exact: true })).toBeVisible();
  await host.getByRole("button", { name: say("dayReplies:host.show") }).click();
  const list = host.getByRole("list", { name: say("dayReplies:host.list") });
  await expect(list.getByText("Gina Rossi, Guest of Gina Rossi")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);

  // A second household waits, and comes in when the first needs one place less.
  const other = await visit({ ...PHONE });
  await other.goto(`/shared/${link.share_id}`);
  const others = other.getByRole("region", { name: say("dayReplies:title"), exact: true });
  await others.getByRole("button", { name: say("dayReplies:own.reply"), exact: true }).click();
  await other.getByText(say("dayReplies:answers.yes"), { exact: true }).click();
  await other.getByLabel(say("dayReplies:form.name"), { exact: true }).fill("Ben");
  await other.getByRole("button", { name: say("dayReplies:form.send"), exact: true }).click();
  await expect(others.getByText(/You are on the waiting list: Ben/)).toBeVisible();
  await expect(others.getByText("Gina")).toHaveCount(0);
  await expect(host.getByText("1 waits")).toBeVisible();

  // The first household changes its reply on another device, with its own link.
  await box.getByRole("button", { name: say("dayReplies:own.linkShow") }).click();
  const ownLink = await box.getByLabel(say("dayReplies:own.link"), { exact: true }).inputValue();
  const elsewhere = await visit({ ...PHONE, colorScheme: "dark" });
  await elsewhere.goto(ownLink);
  await elsewhere.getByRole("button", { name: say("dayReplies:own.change") }).click();
  await elsewhere.getByRole("button", { name: say("dayReplies:form.removePerson", { number: 2 }) }).click();
  await elsewhere.getByRole("button", { name: say("dayReplies:form.send"), exact: true }).click();
  await expect(box.getByText("You come: Gina Rossi. To: Dinner")).toBeVisible();
  await expect(others.getByText("You come: Ben. To: Ceremony, Dinner")).toBeVisible();
  await expect(list.getByText("Gina Rossi", { exact: true })).toBeVisible();

  // The table says the same, and no cell is a formula.
  const downloading = page.waitForEvent("download");
  await host.getByRole("button", { name: say("dayReplies:host.csv") }).click();
  const table = await readFile(await (await downloading).path(), "utf8");
  const lines = table.trimEnd().split("\r\n");
  expect(lines[0]).toBe(
    `\ufeff"Reply","Persons","Names","Ceremony","Dinner","Do you take the bus?","A song?","Note","Last change (UTC)"`,
  );
  expect(lines[1]).toMatch(/^"Comes","1","Gina Rossi","","Yes","Only there","Azzurro","'=With joy",/);
  expect(lines[2]).toMatch(/^"Comes","1","Ben","Yes","Yes","","","",/);
  await expectAccessible(page);

  // Hosts correct a reply, and delete one with an undo.
  await list.getByRole("button", { name: say("dayReplies:host.edit", { name: "Ben" }) }).click();
  await list.getByText(say("dayReplies:answers.maybe"), { exact: true }).click();
  await list.getByRole("button", { name: say("dayReplies:form.save"), exact: true }).click();
  await expect(others.getByText(/Maybe you come: Ben/)).toBeVisible();
  await list.getByRole("button", { name: say("dayReplies:host.remove", { name: "Ben" }) }).click();
  await expect(list.getByText("Ben", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: say("dayReplies:host.undo"), exact: true }).click();
  await expect(list.getByText("Ben", { exact: true })).toBeVisible();

  // A household is invited by a personal link, with its names filled in.
  await host.getByRole("button", { name: say("dayReplies:host.add") }).click();
  await host.getByLabel(say("dayReplies:form.hostName"), { exact: true }).fill("Rossi");
  await host.getByRole("button", { name: say("dayReplies:form.add"), exact: true }).click();
  await host.getByRole("button", { name: say("dayReplies:form.save"), exact: true }).click();
  await list.getByRole("button", { name: say("dayReplies:invite.open", { name: "Rossi" }) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: say("dayReplies:invite.make") }).click();
  const personal = await dialog.getByLabel(say("dayReplies:invite.link"), { exact: true }).inputValue();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  const rossi = await visit({ ...PHONE });
  await rossi.goto(personal);
  const invited = rossi.getByRole("region", { name: say("dayReplies:title"), exact: true });
  await expect(invited.getByText("You are invited: Rossi, Guest of Rossi.")).toBeVisible();
  await expect(rossi).toHaveURL(/^[^#]+$/);
  await invited.getByRole("button", { name: say("dayReplies:own.reply"), exact: true }).click();
  await expect(rossi.getByRole("button", { name: say("dayReplies:form.add"), exact: true })).toHaveCount(0);
  // Above the answers to the question about the bus.
  await rossi
    .getByRole("radio", { name: say("dayReplies:answers.no"), exact: true })
    .first()
    .click();
  await rossi.getByRole("button", { name: say("dayReplies:form.send"), exact: true }).click();
  await expect(invited.getByText(say("dayReplies:own.no"))).toBeVisible();
  await expect(list.getByText(say("dayReplies:host.states.no"), { exact: true })).toBeVisible();

  // After the closing time nothing changes by a link.
  await host.getByRole("button", { name: say("dayReplies:host.settings") }).click();
  await page.getByLabel(say("dayReplies:settings.closes")).fill("2020-01-01T12:00");
  await save.click();
  await expect(box.getByText(say("dayReplies:closed"))).toBeVisible();
  await expect(box.getByRole("button", { name: say("dayReplies:own.change") })).toHaveCount(0);
});

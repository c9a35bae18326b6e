import { readFile } from "node:fs/promises";
import { expectAccessible } from "../support/accessibility.ts";
import { dayAfter } from "../support/date-field.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { newMemory, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("a daughter writes when and where on her phone, and a guest of the link finds it and takes it into a calendar", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa", passing_date: dayAfter(-2) });
  await shareFirstLink(ada.client, memory.id);
  const page = await visit({ as: ada, ...PHONE, timezoneId: "Europe/Rome" });
  await page.goto(`/memory/${memory.id}`);
  await page.getByRole("button", { name: say("day:edit.first") }).click();
  await page.getByLabel(say("day:edit.starts"), { exact: true }).fill("14:00");
  await page.getByRole("button", { name: say("day:edit.save"), exact: true }).click();
  await expect(page.getByText(say("day:edit.errors.day"))).toBeVisible();
  await page.getByLabel(say("day:edit.date"), { exact: true }).fill(dayAfter(3));
  await page.getByLabel(say("day:edit.place"), { exact: true }).fill("San Zeno");
  await page.getByText(say("day:edit.way"), { exact: true }).click();
  await page.getByLabel(say("day:edit.parking"), { exact: true }).fill("Behind the church");
  await page.getByText(say("day:edit.streaming"), { exact: true }).click();
  await page.getByLabel(say("day:edit.stream"), { exact: true }).fill("https://example.com/live");
  await page.getByLabel(say("day:edit.streamFrom"), { exact: true }).fill(`${dayAfter(3)}T13:30`);
  await expectAccessible(page);
  await page.getByRole("button", { name: say("day:edit.save"), exact: true }).click();
  const day = page.getByRole("region", { name: say("day:section"), exact: true });
  await expect(day.getByRole("heading", { name: say("day:parts.service"), exact: true })).toBeVisible();
  await expect(day.getByRole("link", { name: say("day:read.stream") })).toBeVisible();

  // The burial is for the family only.
  await page.getByRole("button", { name: say("day:edit.add") }).click();
  await page.getByLabel(say("day:edit.part"), { exact: true }).selectOption("burial");
  await page.getByText(say("day:edit.members"), { exact: true }).click();
  await page.getByRole("button", { name: say("day:edit.save"), exact: true }).click();
  await expect(day.getByText(say("day:read.members"))).toBeVisible();
  await expectAccessible(page);

  const guest = await visit({ ...PHONE, timezoneId: "Europe/London" });
  await guest.goto(`/shared/${memory.share_id}`);
  const seen = guest.getByRole("region", { name: say("day:section"), exact: true });
  await expect(seen.getByText("San Zeno")).toBeVisible();
  await expect(seen.getByText("Behind the church")).toBeVisible();
  await expect(seen.getByText("Europe/Rome")).toBeVisible();
  await expect(seen.getByText(say("day:parts.burial"))).toHaveCount(0);
  await expect(seen.getByText(/The livestream opens here on/)).toBeVisible();
  await expect(seen.getByRole("link", { name: say("day:read.stream") })).toHaveCount(0);
  await expectAccessible(guest);
  const downloading = guest.waitForEvent("download");
  await seen.getByRole("button", { name: say("day:calendar.addNamed", { title: say("day:parts.service") }) }).click();
  const file = await readFile(await (await downloading).path(), "utf8");
  expect(file).toContain(`DTSTART:${dayAfter(3).replaceAll("-", "")}T`);
  expect(file).not.toContain("example.com");
  await seen.getByRole("button", { name: say("day:calendar.subscribe") }).click();
  await expect(guest.getByRole("link", { name: say("day:calendar.open") })).toHaveAttribute("href", /^webcal:/);
  await guest.getByRole("button", { name: say("common:close") }).click();

  // Its time comes: the guest's open page shows it.
  await page.getByRole("button", { name: say("day:edit.change", { title: say("day:parts.service") }) }).click();
  await page.getByLabel(say("day:edit.streamFrom"), { exact: true }).fill("2020-01-01T13:30");
  await page.getByRole("button", { name: say("day:edit.save"), exact: true }).click();
  await expect(seen.getByRole("link", { name: say("day:read.stream") })).toBeVisible();
});

test("two managers who edit the same part are asked, and after the day its facts are folded", {
  tag: "@sample",
}, async ({ visit, person, expectedErrors }) => {
  // The refused update, after which the page asks.
  expectedErrors.push(/status of 409/);
  const ada = await person("Ada");
  const { id } = await newMemory(ada.client, { kind: "event", person_name: "Our wedding", event_date: dayAfter(10) });
  const part_id = crypto.randomUUID();
  const ceremony = {
    part: "ceremony",
    title: "Ceremony",
    on_date: dayAfter(10),
    starts_at: "15:00",
    place: "The barn",
  };
  const save = (changes: object, revision?: number) =>
    ada.client.rpc("save_day_part", { memory_id: id, part_id, changes, revision }).throwOnError();
  await save({ ...ceremony, time_zone: "Europe/London" });
  const page = await visit({ as: ada });
  await page.goto(`/memory/${id}`);
  // The part is in the programme, too.
  const programme = page.getByRole("region", { name: say("stories:life.titleEvent") });
  await expect(programme.getByText("The barn")).toBeVisible();
  await page.getByRole("button", { name: say("day:edit.change", { title: "Ceremony" }) }).click();
  await page.getByLabel(say("day:edit.place"), { exact: true }).fill("The lake");
  // Others move it to another day and past the day. Its form stays.
  await save({ place: "The garden", dress: "White", on_date: "2020-05-09" }, 1);
  await expect(programme.getByText("The garden")).toBeVisible();
  await expect(page.getByLabel(say("day:edit.place"), { exact: true })).toHaveValue("The lake");
  await page.getByRole("button", { name: say("day:edit.save"), exact: true }).click();
  const note = page.getByRole("region", { name: say("conflict:title") });
  await expect(note.getByText("The garden")).toBeVisible();
  await note.getByRole("button", { name: say("conflict:useMine") }).click();
  const day = page.getByRole("region", { name: say("day:section"), exact: true });
  await expect(day.getByText("The lake")).toBeVisible();
  await expect(day.getByText("White")).toBeVisible();

  await save({ on_date: "2020-05-09" }, 3);
  await page.reload();
  await expect(day.getByText("The lake")).toBeHidden();
  await day.getByText(say("day:titlePast")).click();
  await expect(day.getByText("The lake")).toBeVisible();
  await page.getByRole("button", { name: say("day:edit.change", { title: "Ceremony" }) }).click();
  await page.getByRole("button", { name: say("day:edit.remove") }).click();
  await expect(day.getByText("The lake")).toHaveCount(0);
  await page.getByRole("button", { name: say("stories:write.undo"), exact: true }).click();
  await expect(day.getByText("The lake")).toBeAttached();
});

import type { Page } from "@playwright/test";
import { revealMoment } from "../../web/data/reveal-times.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { dayAfter } from "../support/date-field.ts";
import { expect, PHONE, test } from "../support/e2e.ts";
import { addPhoto, tiles, toGallery } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const DAY_MS = 86_400_000;

const en = textsIn("en");
const it = textsIn("it");

// Pictures that are hidden while they are being loaded.
test.use({ expectedErrors: [/render\/image\/sign\/media.* 404/] });

test("guests see only their own until the hosts reveal everything, then everything without a reload", {
  tag: "@long",
}, async ({ visit, person }) => {
  const [ada, carla, dan] = await Promise.all([person("Ada"), person("Carla"), person("Dan")]);
  const memory = await newMemory(ada.client, { kind: "event", person_name: "Rosa e Ugo", event_date: dayAfter(3) });
  for (const one of [carla, dan]) {
    const row = { memory_id: memory.id, email: one.email, role: "contributor" };
    const { id } = await newRow(ada.client, "invitations", row, "id");
    await one.client.rpc("answer_invitation", { invitation_id: id, accept: true }).throwOnError();
  }
  const row = { memory_id: memory.id, rights: "contribute" };
  const link = await newRow(ada.client, "share_links", row, "share_id");
  const [hers, his] = await photoPaths("gps-nikon.jpg", "kodak-1998.jpg");
  await addPhoto(carla, memory.id, hers ?? "");
  await carla.client.from("comments").insert({ memory_id: memory.id, body: "What a dance" }).throwOnError();

  const guest = await visit({ ...PHONE, language: "it", timezoneId: "America/New_York" });
  await guest.goto(`/shared/${link.share_id}`);
  await toGallery(guest);
  await expect(tiles(guest)).toHaveCount(1);
  const contributor = await visit({ as: carla });
  await contributor.goto(`/memory/${memory.id}`);

  // The host chooses the morning after the wedding, in the settings for guests.
  const host = await visit({ as: ada, timezoneId: "Europe/Rome" });
  await host.goto(`/memory/${memory.id}`);
  await host.getByRole("button", { name: en("sharing:share"), exact: true }).click();
  await host.getByRole("button", { name: new RegExp(en("reveal:title")) }).click();
  await host.getByLabel(/the morning after/).check();
  await expect(host.getByText(en("reveal:form.seen"))).toBeVisible();
  await expectAccessible(host);
  await shoot(host, "host-form");
  await host.getByRole("button", { name: en("reveal:form.save"), exact: true }).click();
  await expect(host.getByText(/^Until .* at 10:00$/)).toBeVisible();
  await host.keyboard.press("Escape");

  // The guest's open page hides what it had shown; the contributor keeps their own.
  await expect(guest.getByText(it("reveal:guest.text"))).toBeVisible();
  await expect(tiles(guest)).toHaveCount(0);
  const remainingMs = Date.parse(revealMoment(`${dayAfter(4)}T10:00`, "Europe/Rome")) - Date.now();
  await expect(guest.getByRole("timer")).toHaveText(
    it("reveal:guest.left.days", { count: Math.ceil(remainingMs / DAY_MS) }),
  );
  // Ten in Rome is four in New York.
  await expect(guest.getByText(/04:00/)).toBeVisible();
  await expect(guest.getByText("What a dance")).toHaveCount(0);
  await expect(guest.getByText(it("comments:read.waits"))).toBeVisible();
  await guest.getByRole("timer").scrollIntoViewIfNeeded();
  await expectAccessible(guest);
  await shoot(guest, "guest-360");
  await addPhoto(dan, memory.id, his ?? "");
  await expect(host.getByText(en("reveal:host.text"))).toBeVisible();
  for (const page of [host, contributor]) await toGallery(page);
  await expect(tiles(host)).toHaveCount(2);
  await expect(tiles(contributor)).toHaveCount(1);
  await contributor.getByRole("timer").scrollIntoViewIfNeeded();
  await shoot(contributor, "contributor");

  // The host changes to a press of their own, reveals, takes it back, and reveals again.
  await host.getByRole("button", { name: en("reveal:host.change"), exact: true }).click();
  await host.getByLabel(en("reveal:form.choice.press"), { exact: true }).check();
  await host.getByRole("button", { name: en("reveal:form.save"), exact: true }).click();
  await expect(guest.getByText(it("reveal:guest.titlePressed"))).toBeVisible();
  await host.getByText(en("reveal:host.text")).scrollIntoViewIfNeeded();
  await shoot(host, "host-note");
  const now = host.getByRole("button", { name: en("reveal:host.now"), exact: true });
  await now.click();
  await expect(tiles(guest)).toHaveCount(2);
  await host.getByRole("button", { name: en("reveal:undo"), exact: true }).click();
  await expect(tiles(guest)).toHaveCount(0);
  await now.click();
  await expect(tiles(guest)).toHaveCount(2);
  await expect(guest.getByText("What a dance")).toBeVisible();
  await expect(guest.getByText(it("reveal:appeared"), { exact: true })).toBeVisible();
  await expect(tiles(contributor)).toHaveCount(2);

  // At a time it happens by itself on open pages.
  await ada.client
    .from("reveals")
    .update({ revealed: false, reveal_at: new Date(Date.now() + 15_000).toISOString() })
    .eq("memory_id", memory.id)
    .throwOnError();
  await expect(tiles(guest)).toHaveCount(0);
  await expect(guest.getByRole("timer")).toHaveText(it("reveal:guest.left.moment"));
  await expect(tiles(guest)).toHaveCount(2);
});

async function shoot(page: Page, name: string) {
  const folder = process.env.REVEAL_SHOTS;
  if (!folder) return;
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
  }
}

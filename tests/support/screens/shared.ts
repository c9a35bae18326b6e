import { expect, type Page } from "@playwright/test";
import { memoryWith } from "../gallery.ts";
import { makeMemory } from "../inviting.ts";
import { expectPhotos } from "../journey.ts";
import type { Person } from "../people.ts";
import { photoPaths } from "../photos.ts";
import { click, dialog, heading, type Say, type Setup, screenArea, text } from "./screen.ts";

/** Memories behind links of every kind. */
async function prepare({ person }: Setup) {
  const ada = await person("Ada", { plan: "skies-memories" });
  const { id, share_id: shareId } = await memoryWith(ada, await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  await ada.client
    .from("share_links")
    .update({ rights: "contribute", moderated: true })
    .eq("memory_id", id)
    .throwOnError();
  await ada.client.from("comments").insert({ memory_id: id, body: "She sang" }).throwOnError();
  const { data: album } = await ada.client
    .from("albums")
    .insert({ name: "Famiglia Bellini" })
    .select("id")
    .single()
    .throwOnError();
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: [id] }).throwOnError();
  const [withPin, withPhrase, closed, uploadOnly] = await Promise.all([
    linkOf(ada, { memory_id: await makeMemory(ada, "PIN") }, { pin: "0417" }),
    linkOf(ada, { memory_id: await makeMemory(ada, "Passphrase") }, { passphrase: "Grandma's garden" }),
    linkOf(ada, { memory_id: id, rights: "comment" }),
    linkOf(ada, { memory_id: id, rights: "upload" }),
  ]);
  await ada.client.from("share_links").update({ revoked_at: "now" }).eq("share_id", closed).throwOnError();
  const ofAlbum = await linkOf(ada, { album_id: album.id });
  const email = await emailOf(ada, id);
  const unshared = await makeMemory(ada, "Nobody's yet");
  return { ada, id, shareId, withPin, withPhrase, closed, uploadOnly, ofAlbum, letter: email, unshared };
}

/** A new link with these settings and secret; resolves to its share id. */
async function linkOf({ client }: Person, row: object, secret?: object): Promise<string> {
  const { data } = await client.from("share_links").insert(row).select("id, share_id").single().throwOnError();
  if (secret) {
    const { error } = await client.functions.invoke("share-pin", { body: { linkId: data.id, ...secret } });
    if (error) throw error;
  }
  return String(data.share_id);
}

/** The target of a new invitation's email. */
async function emailOf({ client }: Person, memoryId: string): Promise<string> {
  const row = { memory_id: memoryId, email: "aunt@example.com", role: "contributor" };
  const { data } = await client.from("invitations").insert(row).select("id").single().throwOnError();
  const written = client.rpc("invitation_email", { invitation_id: data.id });
  const email = await written.single<{ share_id: string; token: string }>().throwOnError();
  return `/shared/${email.data.share_id}#invitation=${email.data.token}`;
}

type Data = Awaited<ReturnType<typeof prepare>>;

const link = (key: "shareId" | "withPin" | "withPhrase" | "closed" | "uploadOnly" | "ofAlbum") => (data: Data) =>
  `/shared/${data[key]}`;

async function sign(page: Page, say: Say) {
  const name = page.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true });
  await name.fill("Gina Rossi");
  await name.press("Enter");
  await text("guests:add.as", { name: "Gina Rossi" })(page, say);
}

export const sharedScreens = screenArea("what a link opens", prepare, [
  {
    route: "/shared/:shareId",
    state: "a memory with photos",
    path: link("shareId"),
    async enter(page, say) {
      await text("comments:title")(page, say);
      await expectPhotos(page, 2);
    },
  },
  {
    route: "/shared/:shareId",
    state: "a photo open",
    path: link("shareId"),
    async enter(page) {
      await page.locator('a[href*="photo="]').first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    route: "/shared/:shareId",
    state: "asking a guest for a name",
    path: link("shareId"),
    async enter(page, say) {
      await dialog("comments:candle.give")(page, say);
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("guests:sign.submit") })
        .click();
      await text("guests:sign.nameMissing")(page, say);
    },
  },
  {
    route: "/shared/:shareId",
    state: "words that a guest added",
    path: link("shareId"),
    alone: true,
    async enter(page, say) {
      await click(page, say("guests:add.words"));
      await sign(page, say);
      await page.getByLabel(say("guests:write.label")).fill("Cantava sempre.");
      await click(page, say("guests:write.send"));
      await text("guests:mine.held")(page, say);
    },
  },
  { route: "/shared/:shareId", state: "reporting a problem", path: link("shareId"), enter: dialog("reports:open") },
  {
    route: "/shared/:shareId",
    state: "for adding only",
    path: link("uploadOnly"),
    enter: heading("guests:add.titleFor", { name: "Rosa Bellini" }),
  },
  {
    route: "/shared/:shareId",
    state: "for adding only, as a guest with a name",
    path: link("uploadOnly"),
    alone: true,
    async enter(page, say) {
      await click(page, say("guests:add.words"));
      await sign(page, say);
      await text("guests:mine.empty")(page, say);
    },
  },
  {
    route: "/shared/:shareId",
    state: "asking for a PIN",
    path: link("withPin"),
    enter: (page, say) => expect(page.getByLabel(say("shareGate:pin.digit", { number: 4 }))).toBeVisible(),
  },
  {
    route: "/shared/:shareId",
    state: "asking for a passphrase",
    path: link("withPhrase"),
    enter: (page, say) => expect(page.getByLabel(say("shareGate:passphrase.label"))).toBeVisible(),
  },
  {
    route: "/shared/:shareId",
    state: "after too many wrong PINs",
    path: "/shared/ThereIsNothingHere1234",
    async enter(page, say) {
      const first = page.getByLabel(say("shareGate:pin.digit", { number: 1 }));
      const locked = page.getByRole("heading", { name: say("shareGate:open.locked") });
      await expect(async () => {
        if (await first.isVisible()) {
          await expect(first).toHaveValue("", { timeout: 1000 });
          await page.keyboard.type("0001");
        }
        await expect(locked).toBeVisible({ timeout: 1000 });
      }).toPass();
    },
  },
  {
    route: "/shared/:shareId",
    state: "by an invitation's letter",
    path: ({ letter: email }) => email,
    alone: true,
    async enter(page, say) {
      await text("sharing:letter.text")(page, say);
      // The offer is above the memory and loads first.
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
  {
    route: "/shared/:shareId",
    state: "an invitation that is over",
    path: () => `/shared/ThereIsNothingHere1235#invitation=${"0".repeat(64)}`,
    alone: true,
    enter: heading("shareGate:open.invitation"),
  },
  {
    route: "/shared/:shareId",
    state: "an invitation whose link was cut",
    path: ({ letter }) => letter.slice(0, -1),
    alone: true,
    async enter(page, say) {
      await heading("shareGate:open.incomplete")(page, say);
      await click(page, say("shareEnd:askAgain"));
      await text("shareEnd:askedAgain")(page, say);
    },
  },
  {
    route: "/memory/:id",
    state: "sharing for the first time",
    path: ({ unshared }) => `/memory/${unshared}`,
    as: ({ ada }) => ada,
    async enter(page, say) {
      await dialog("sharing:share")(page, say);
      await expect(page.getByLabel(say("sharing:secret.pin"), { exact: true })).toHaveText(/^\d{4}$/);
    },
  },
  { route: "/shared/:shareId", state: "closed", path: link("closed"), enter: heading("shareGate:open.revoked") },
  {
    route: "/shared/:shareId",
    state: "an album",
    path: link("ofAlbum"),
    enter: heading("Famiglia Bellini"),
  },
  {
    route: "/shared/:shareId/:memoryId",
    state: "a memory of an album",
    path: ({ ofAlbum, id }) => `/shared/${ofAlbum}/${id}`,
    enter: heading("Rosa Bellini"),
  },
  {
    route: "/shared/:shareId/:memoryId",
    state: "a memory that has left the album",
    path: ({ ofAlbum }) => `/shared/${ofAlbum}/00000000-0000-4000-8000-000000000000`,
    enter: heading("albums:shared.goneTitle"),
  },
]);

import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { pictureName } from "../../../web/data/picture-name.ts";
import { memoryWith } from "../gallery.ts";
import { expectPhotos } from "../journey.ts";
import { photoPaths } from "../photos.ts";
import { click, dialog, heading, type Say, type Setup, screenArea, text } from "./screen.ts";

/**
 * A memory with all kinds of content, its owner, a contributor with a handover offer, an invited person and a stranger.
 */
async function prepare({ server, person }: Setup) {
  const [ada, bob, gina, stranger] = await Promise.all([
    person("Ada", { plan: "skies-memories" }),
    person("Bob Bruni"),
    person("Gina"),
    person("Bea"),
  ]);
  const photos = await photoPaths("gps-nikon.jpg", "kodak-1998.jpg");
  const { id } = await memoryWith(ada, photos, { description: "<h2>Summers</h2><p>She knew every tree.</p>" });
  const { data: media } = await ada.client
    .from("media")
    .select("id")
    .eq("memory_id", id)
    .order("file_name")
    .throwOnError();
  const photo = String(media[0]?.id);
  await ada.client.rpc("set_cover", { media_id: photo }).throwOnError();
  const { data: slideshow } = await ada.client
    .from("slideshows")
    .insert({ memory_id: id, title: "Her years" })
    .select("id, revision")
    .single()
    .throwOnError();
  const pictures = media.map((one) => one.id);
  await ada.client
    .rpc("arrange_slideshow", { slideshow: slideshow.id, pictures, revision: slideshow.revision })
    .throwOnError();
  const bobs = { memory_id: id, user_id: bob.id, role: "contributor" };
  await server.service().from("memory_members").insert(bobs).throwOnError();
  await bob.client
    .from("stories")
    .insert([{ memory_id: id, title: "The boat", body: "<p>We never told.</p>" }])
    .throwOnError();
  await ada.client
    .from("stories")
    .insert([{ memory_id: id, title: "The train", body: "<p>It was late.</p>" }])
    .throwOnError();
  await ada.client
    .from("memory_entries")
    .insert([{ memory_id: id, title: "School", on_date: "1937-09" }])
    .throwOnError();
  const face = await sharp(photos[1]).resize(512, 512).jpeg().toBuffer();
  const { error } = await bob.client.storage.from("avatars").upload(await pictureName(bob.id), face);
  if (error) throw error;
  await bob.client
    .from("comments")
    .insert([
      { memory_id: id, body: "She sang, always: https://example.com/song" },
      { memory_id: id, media_id: photo, body: "The old garden" },
    ])
    .throwOnError();
  await bob.client
    .from("reactions")
    .insert([
      { memory_id: id, kind: "candle" },
      { memory_id: id, media_id: photo, kind: "heart" },
    ])
    .throwOnError();
  await ada.client
    .from("share_links")
    .insert({ memory_id: id, rights: "comment", moderated: true, label: "Cousins" })
    .throwOnError();
  await server
    .service()
    .from("comments")
    .insert({ memory_id: id, user_id: bob.id, body: "Not shown yet", moderation: "held" })
    .throwOnError();
  await server
    .service()
    .from("picture_requests")
    .insert({
      memory_id: id,
      media_id: photo,
      wish: "blur",
      name: "Bob Bruni",
      words: "I am the one with the hat.",
      user_id: bob.id,
    })
    .throwOnError();
  await ada.client.from("invitations").insert({ memory_id: id, email: gina.email, role: "viewer" }).throwOnError();
  await ada.client.from("handovers").insert({ memory_id: id, to_user: bob.id }).throwOnError();
  for (const [name, point] of [
    ["Aunt May", { x: 0.3, y: 0.4 }],
    ["Rosa Bellini", {}],
  ] as const)
    await ada.client
      .rpc("name_people", { memory_id: id, media_ids: [photo], person_id: crypto.randomUUID(), name, ...point })
      .throwOnError();
  const hymn = { id: crypto.randomUUID(), kind: "hymn", title: "Abide with me", by: "H. F. Lyte", text: "Fast falls" };
  await ada.client
    .from("memory_services")
    .insert({ memory_id: id, items: [hymn] })
    .throwOnError();
  return { ada, bob, gina, stranger, id, photo };
}

type Data = Awaited<ReturnType<typeof prepare>>;

const owned = (state: string, enter: (page: Page, say: Say, data: Data) => Promise<unknown>) => ({
  route: "/memory/:id",
  state,
  path: ({ id }: Data) => `/memory/${id}`,
  as: ({ ada }: Data) => ada,
  enter,
});

const photoOpen = (state: string, enter: (page: Page, say: Say, data: Data) => Promise<unknown>) => ({
  ...owned(state, enter),
  path: ({ id, photo }: Data) => `/memory/${id}?photo=${photo}`,
});

/** Opens the share window with all settings of a link. */
async function openSharing(page: Page, say: Say) {
  await dialog("sharing:share")(page, say);
  await page.getByRole("button", { name: say("sharing:more.title") }).click();
}

async function openSettings(page: Page, say: Say) {
  await openSharing(page, say);
  for (const section of ["sharing:end.title", "sharing:rights.title"])
    await page
      .getByRole("button", { name: say(section) })
      .last()
      .click();
  await page
    .getByRole("button", { name: say("sharing:passphrase.set") })
    .last()
    .click();
  await expect(page.getByLabel(say("shareGate:passphrase.label"), { exact: true }).first()).toBeVisible();
}

/** Chooses an action of the memory's menu, and waits for the window that it opens. */
const fromMenu = (action: string) => async (page: Page, say: Say) => {
  await click(page, say("memories:page.more"));
  await page.getByRole("menuitem", { name: say(action) }).click();
  await expect(page.getByRole("dialog").getByRole("heading").first()).toBeVisible();
};

export const memoryScreens = screenArea("the page of a memory", prepare, [
  owned("with its photos", async (page, say) => {
    await text("comments:title")(page, say);
    await expectPhotos(page, 2);
  }),
  owned("its most loved photos", async (page, say) => {
    await click(page, say("gallery:order.open"));
    await page.getByRole("menuitemradio", { name: say("gallery:filter.loved") }).click();
    await expectPhotos(page, 1);
  }),
  photoOpen("blurring parts", async (page, say) => {
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("gallery:details.more") })
      .click();
    await page.getByRole("menuitem", { name: say("editing:blur") }).click();
    await click(page, say("blurring:add"));
    await expect(page.getByRole("button", { name: say("blurring:part", { number: 1 }) })).toBeVisible();
  }),
  {
    ...photoOpen("asking not to be seen", async (page, say) => {
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("gallery:details.more") })
        .click();
      await page.getByRole("menuitem", { name: say("reports:notMe") }).click();
      await expect(page.getByLabel(say("notMe:words"))).toBeVisible();
    }),
    as: ({ bob }: Data) => bob,
  },
  photoOpen("a photo open", (page, say) =>
    expect(page.getByRole("button", { name: say("media:lightbox.close") })).toBeVisible(),
  ),
  photoOpen("a photo's details open", async (page, say) => {
    await click(page, say("gallery:details.show"));
    await expect(page.getByLabel(say("gallery:details.caption"), { exact: true })).toBeVisible();
  }),
  photoOpen("a photo's people open", async (page, say) => {
    await click(page, say("pictured:edit"));
    await expect(page.locator("[data-point='Aunt May']")).toBeVisible();
  }),
  photoOpen("a photo's comments open", async (page, say) => {
    await page.getByRole("button", { name: say("comments:photo.openWith", { count: 1 }) }).click();
    await text("The old garden")(page, say);
  }),
  owned("editing names and dates", async (page, say) => {
    await click(page, say("memories:page.edit"));
    await expect(page.getByRole("button", { name: say("memories:page.save") })).toBeVisible();
  }),
  owned("editing the story", async (page, say) => {
    await page
      .getByRole("button", { name: say("stories:read.edit") })
      .first()
      .click();
    await expect(page.locator(".ProseMirror")).toBeVisible();
  }),
  owned("adding a moment", async (page, say) => {
    await click(page, say("stories:life.add"));
    await expect(page.getByLabel(say("stories:entry.what"), { exact: true })).toBeVisible();
  }),
  owned("selecting photos", async (page, say) => {
    await click(page, say("gallery:select.start"));
    await click(page, say("gallery:select.all"));
    await text("gallery:select.count", { count: 2 })(page, say);
  }),
  owned("naming selected photos", async (page, say) => {
    await click(page, say("gallery:select.start"));
    await click(page, say("gallery:select.all"));
    await click(page, say("pictured:many.tool"));
    await expect(page.getByRole("option")).toHaveCount(2);
  }),
  owned("choosing people to show", async (page, say) => {
    await click(page, say("gallery:order.open"));
    await page.getByRole("menuitem", { name: say("pictured:filter.open") }).click();
    await page.getByRole("checkbox").first().check();
    await expect(page.getByRole("button", { name: say("pictured:filter.done") })).toBeVisible();
  }),
  owned("the photos of a person", async (page, say) => {
    await click(page, say("gallery:order.open"));
    await page.getByRole("menuitem", { name: say("pictured:filter.open") }).click();
    await page.getByRole("checkbox", { name: "Aunt May" }).check();
    await click(page, say("pictured:filter.done"));
    // The focus returned to the button, whose tooltip covers the page.
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-radix-popper-content-wrapper]")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Aunt May", level: 3 })).toBeVisible();
  }),
  owned("arranging photos", async (page, say) => {
    await click(page, say("gallery:arrange.start"));
    await text("gallery:arrange.hint")(page, say);
  }),
  owned("choosing the point of the cover", async (page, say) => {
    await fromMenu("gallery:cover.edit")(page, say);
    await expect(page.getByRole("slider")).toBeVisible();
  }),
  owned("sharing, with the other links", async (page, say) => {
    await openSharing(page, say);
    await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(1);
  }),
  owned("sharing, with a PIN being set", async (page, say) => {
    await dialog("sharing:share")(page, say);
    await page.getByRole("button", { name: say("sharing:pin.set") }).click();
    await expect(page.getByLabel(say("shareGate:pin.digit", { number: 4 }))).toBeVisible();
  }),
  owned("sharing, with a link's settings open", openSettings),
  owned("sharing, with a link about to get a new address", async (page, say) => {
    await openSharing(page, say);
    await page
      .getByRole("button", { name: say("sharing:remake.action") })
      .first()
      .click();
    await text("sharing:remake.sent")(page, say);
  }),
  owned("downloading", async (page, say) => {
    await fromMenu("downloads:download")(page, say);
    await page.getByRole("radio", { name: say("downloads:archive") }).check();
    await text("downloads:items", { count: 2 })(page, say);
  }),
  owned("its people", async (page, say) => {
    await dialog("people:open")(page, say);
    await expect(page.getByLabel(say("people:invite.email"))).toBeVisible();
  }),
  owned("its notices", fromMenu("notices:memory.open")),
  owned("inviting by email in the share window", async (page, say) => {
    await dialog("sharing:share")(page, say);
    await page.getByRole("button", { name: say("sharing:invite.title") }).click();
    await page.getByLabel(say("people:invite.email")).fill("anna@example.com; luca@");
    await page.getByRole("button", { name: say("people:invite.submit") }).click();
    await text("luca@")(page, say);
  }),
  {
    ...owned("offered to a contributor", heading("people:handover.toYouFrom", { name: "Ada" })),
    as: ({ bob }: Data) => bob,
  },
  { ...owned("reporting a problem", dialog("reports:open")), as: ({ bob }: Data) => bob },
  { ...owned("an invitation to it", text("people:mine.as.viewer")), as: ({ gina }: Data) => gina },
  { ...owned("missing", heading("memories:page.missingTitle")), as: ({ stranger }: Data) => stranger },
  {
    route: "/memory/:id/print",
    state: "with eight cards",
    path: ({ id }) => `/memory/${id}/print`,
    as: ({ ada }) => ada,
    enter: (page, say) => expect(page.getByRole("img", { name: say("printing:format.cards8") })).toBeVisible(),
  },
  {
    route: "/memory/:id/service",
    state: "with a hymn",
    path: ({ id }) => `/memory/${id}/service`,
    as: ({ ada }) => ada,
    enter: (page, say) =>
      expect(page.getByRole("img", { name: say("printing:service.heading.tribute") })).toBeVisible(),
  },
  {
    route: "/memory/:id/slideshows",
    state: "with photos",
    path: ({ id }) => `/memory/${id}/slideshows`,
    as: ({ ada }) => ada,
    enter: (page, say) => expect(page.getByRole("button", { name: say("slideshows:play"), exact: true })).toBeEnabled(),
  },
  {
    route: "/memory/:id/slideshows",
    state: "playing",
    path: ({ id }) => `/memory/${id}/slideshows`,
    as: ({ ada }) => ada,
    enter: async (page, say) => {
      await page.getByRole("button", { name: say("slideshows:play"), exact: true }).click();
      const player = page.getByRole("dialog", { name: "Her years", exact: true });
      await player.getByRole("button", { name: say("slideshows:player.pause"), exact: true }).click();
      await expect(player.getByRole("img").first()).toBeVisible();
      // The size of a window that fills the screen cannot be changed.
      await page.keyboard.press("f");
      await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
    },
    alone: true,
  },
  {
    route: "/memory/:id/waiting",
    state: "with an addition and the wish of somebody in a photo",
    path: ({ id }) => `/memory/${id}/waiting`,
    as: ({ ada }) => ada,
    enter: async (page, say) => {
      await expect(page.getByRole("article")).toHaveCount(1);
      await heading("notMe:list")(page, say);
    },
  },
  {
    route: "/memory/:id/waiting",
    state: "declining a wish",
    path: ({ id }) => `/memory/${id}/waiting`,
    as: ({ ada }) => ada,
    enter: async (page, say) => {
      await click(page, say("notMe:decline"));
      await expect(page.getByLabel(say("notMe:answer"))).toBeVisible();
    },
  },
]);

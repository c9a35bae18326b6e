import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, pages } from "../../../shared/pages.ts";
import { SESSION_KEY } from "../../../web/lib/session/session-key.ts";
import { expect } from "../e2e.ts";
import { addFilm, filmOf } from "../films.ts";
import { memoryWith } from "../gallery.ts";
import { photoPaths } from "../photos.ts";
import { textsIn } from "../texts.ts";
import type { test as firefox } from "./firefox.ts";
import type { EnginePage } from "./page.ts";

const say = textsIn("en");
const title = (number: number, count: number) => say("media:lightbox.title", { number, count });
const heading = { role: "heading", name: "Rosa Bellini" } as const;
const dialog = { role: "dialog" } as const;

/** Types a PIN into boxes that are ready. */
async function typePin(page: EnginePage, name: string) {
  await page.press({ name });
  await page.keys(..."0417");
}

/** Waits until the gallery has loaded so many photos. */
async function expectPhotos(page: EnginePage, count: number) {
  await page.scrollTo({ css: "#photos" });
  const loaded = () =>
    page.run(
      () =>
        [...document.querySelectorAll("[data-gallery] [data-photo]")].filter((tile) =>
          [...tile.querySelectorAll("img")].some(({ complete, naturalWidth }) => complete && naturalWidth > 32),
        ).length,
    );
  await expect.poll(loaded, { message: "photos that are drawn", timeout: 180_000 }).toBe(count);
}

/** Declares what people do in an engine other than Chromium, as tests with its `test`. */
export function declareWalks(test: typeof firefox, engine: string) {
  test(`a guest opens a memory by its PIN in ${engine}, looks at its photos, lights a candle and comments`, {
    tag: "@sample",
  }, async ({ open, person }) => {
    const ada = await person("Ada Rossi");
    const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"));
    const { data: link } = await ada.client.from("share_links").select("id").eq("memory_id", rosa.id).single();
    await ada.client.functions.invoke("share-pin", { body: { linkId: link?.id, pin: "0417" } });

    const guest = await open({ width: 480 });
    await guest.goto(`/shared/${rosa.share_id}`);
    await typePin(guest, say("shareGate:pin.digit", { number: 1 }));
    await guest.sees(heading);
    await expectPhotos(guest, 2);

    // A photo opens, a key leads to the next one, and closing it returns the focus to the gallery.
    await guest.press({ css: "[data-gallery] [data-photo] a" });
    await guest.sees({ ...dialog, name: title(1, 2) });
    await guest.keys("ArrowRight");
    await guest.sees({ ...dialog, name: title(2, 2) });
    await guest.keys("Escape");
    await guest.misses(dialog);
    await expect.poll(() => guest.run(() => document.activeElement?.closest("[data-photo]") != null)).toBe(true);

    await guest.press({ role: "button", name: say("comments:candle.give") });
    await guest.fill(say("guests:sign.name"), "Ugo", "[role=dialog]");
    await guest.keys("Enter");
    await guest.misses(dialog);
    await guest.sees({ role: "button", name: say("comments:candle.given") });
    await guest.fill(say("comments:write.label"), "I was there.");
    await guest.press({ role: "button", name: say("comments:write.send") });
    const comments = async () =>
      (await ada.client.from("comments").select("body").eq("memory_id", rosa.id)).data?.map(({ body }) => body);
    await expect.poll(comments).toEqual(["I was there."]);
    await guest.reads("I was there.");
  });

  test(`in ${engine} a person registers, makes a memory with photos and a video, shares it with a PIN, and signs out`, {
    tag: "@long",
  }, async ({ open, server, expectedErrors }) => {
    // The link asks the guest for its PIN.
    expectedErrors.push(/open-share.*401|401.*open-share/);
    const folder = await mkdtemp(join(tmpdir(), "skies-engine-"));
    const film = join(folder, "lake.mp4");
    await writeFile(film, await filmOf("h264"));

    const page = await open();
    await page.goto("/");
    await page.press({ role: "link", name: say("layout:startFree") });
    await page.fill(say("account:fullName"), "Ada Rossi");
    await page.fill(say("account:email"), `ada.${crypto.randomUUID().slice(0, 8)}@example.com`);
    await page.fill(say("account:password"), "a chair in the garden");
    await page.press({ role: "button", name: say("account:register.submit") });
    await page.reads(say("memories:list.emptyTitle"));
    await page.press({ role: "link", name: say("memories:list.new") });
    await page.fill(say("memories:fields.name"), "Rosa Bellini");
    const photos = await photoPaths("canon.jpg", "kodak-1998.jpg", "plain.heif");
    await page.choose("input[type=file][multiple]", [...photos, film]);
    await page.press({ role: "button", name: say("memories:new.create") });
    await page.sees(heading);
    await expect.poll(() => page.path()).toMatch(/^\/memory\/[0-9a-f-]{36}$/);
    await expectPhotos(page, 4);

    // The video plays in the lightbox.
    await page.press({ css: "[data-gallery] [data-photo] a" });
    await page.sees({ ...dialog, name: title(1, 4) });
    for (let number = 2; number <= 4 && !(await page.has({ css: "[role=dialog] video" })); number++) {
      await page.keys("ArrowRight");
      await expect
        .poll(() => page.run(() => document.querySelector("[role=dialog] h2")?.textContent))
        .toContain(`${number} `);
    }
    const played = () =>
      page.run(async () => {
        const video = document.querySelector<HTMLVideoElement>("[role=dialog] video");
        await video?.play().catch(() => {});
        return { hasPlayed: (video?.currentTime ?? 0) > 0.2, error: video?.error?.message };
      });
    await expect.poll(played).toMatchObject({ hasPlayed: true });
    await page.keys("Escape");
    await page.misses(dialog);

    await page.press({ role: "button", name: say("sharing:share") });
    await page.press({ role: "button", name: say("sharing:pin.update") });
    await typePin(page, say("shareGate:pin.digit", { number: 1 }));
    await page.press({ role: "button", name: say("sharing:pin.save") });
    await page.reads(say("sharing:pin.wasUpdated"));
    await page.press({ role: "button", name: say("common:close"), inside: "[role=dialog]" });
    await page.misses(dialog);
    const memoryId = (await page.path()).split("/").at(-1) ?? "";
    const links = server.service().from("share_links").select("share_id").eq("memory_id", memoryId);
    const shared = `/shared/${(await links.single().throwOnError()).data.share_id}`;

    await page.press({ role: "button", name: say("layout:signOut") });
    await expect.poll(() => page.path()).toBe("/login");

    // A relative reads Italian, in the dark theme.
    const inItalian = textsIn("it");
    const guest = await open({ width: 480 });
    await guest.goto(`${shared}?lng=it`);
    await guest.run(() => localStorage.setItem("theme", "dark"));
    await guest.reload();
    await typePin(guest, inItalian("shareGate:pin.digit", { number: 1 }));
    await guest.sees(heading);
    await guest.sees({ role: "button", name: inItalian("comments:candle.give") });
    await expectPhotos(guest, 4);
    await rm(folder, { recursive: true });
  });

  test(`in ${engine} every page opens without an error, and none scrolls sideways on a phone`, {
    tag: "@long",
  }, async ({ open, person }) => {
    const ada = await person("Ada Rossi");
    const { data } = await ada.client.auth.getSession();
    const page = await open({ width: 480 });
    const paths = (...kinds: Page["kind"][]) =>
      pages.filter(({ kind, path }) => kinds.includes(kind) && !path.includes(":")).map(({ path }) => path);
    const visitAll = async (all: string[]) => {
      for (const path of all) {
        await page.goto(path);
        await page.sees({ css: "h1" });
        const overflow = () => page.run(() => document.documentElement.scrollWidth - innerWidth);
        await expect.poll(overflow, { message: path }).toBeLessThanOrEqual(0);
      }
    };
    await visitAll(paths("public"));
    await page.run((key, session) => localStorage.setItem(key, session), SESSION_KEY, JSON.stringify(data.session));
    await visitAll(paths("app"));
  });

  test(`in ${engine} an opened memory is read, and its photos looked at, while the server is away`, {
    tag: "@long",
  }, async ({ open, person, server, expectedErrors }) => {
    // Each request fails.
    expectedErrors.push(/./);
    const ada = await person("Ada Rossi");
    const rosa = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"), {
      description: "<p>She rose at four.</p>",
    });
    await addFilm(ada, rosa.id);
    const guest = await open({ width: 480 });
    await guest.goto(`/shared/${rosa.share_id}`);
    await guest.sees(heading);
    await expectPhotos(guest, 3);
    const copies = () =>
      guest.run(async () => {
        const names = (await caches.keys()).filter((name) => name.startsWith("skies-copies"));
        const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        const objects = keys.flat().map(({ url }) => /\/pictures\/(.+)\/\d+\?/.exec(url)?.[1]);
        return new Set(objects.filter(Boolean)).size;
      });
    await expect.poll(copies, { message: "pictures that are kept" }).toBe(3);
    const hasApp = () => guest.run(async () => (await caches.match("/memory/offline")) !== undefined);
    await expect.poll(hasApp, { message: "the app is kept" }).toBe(true);
    await expect.poll(() => guest.run(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await server.restart({
      meanwhile: async () => {
        await guest.reload();
        await guest.sees(heading);
        await guest.reads("She rose at four.");
        await expectPhotos(guest, 3);
      },
    });
    await guest.reload();
    await guest.sees(heading);
  });
}

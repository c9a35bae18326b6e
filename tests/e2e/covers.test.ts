import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { sampled } from "../support/long-tests.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";

const LONG_NAME = "Maria Giovanna Della Seta in Montefiori-Castelbarco, our grandmother";

/** A memory whose cover has this focal point, as fractions of its width and height. */
async function memoryWithCover(owner: Person, file: string, [cover_x, cover_y]: [number, number], name: string) {
  const memory = await memoryWith(owner, await photoPaths(file), { person_name: name });
  const { data } = await owner.client.from("media").select("id").eq("memory_id", memory.id).single().throwOnError();
  await owner.client.rpc("set_cover", { media_id: data.id }).throwOnError();
  await owner.client.from("memories").update({ cover_x, cover_y }).eq("id", memory.id).throwOnError();
  return memory;
}

/** The names that a picture of the page lies under. */
const namesOverPictures = (page: Page) =>
  page.locator("main").evaluate((main) => {
    const boxes = [...main.querySelectorAll("img")].map((image) => image.getBoundingClientRect());
    return [...main.querySelectorAll("h1, h2, li a [dir=auto]")]
      .filter((name) => {
        const { left: textLeft, right, top, bottom } = name.getBoundingClientRect();
        return boxes.some((box) => textLeft < box.right && box.left < right && top < box.bottom && box.top < bottom);
      })
      .map(({ textContent }) => textContent);
  });

test("the name is never over the cover, wherever its focal point is", async ({ visit, person, server }) => {
  const [ada, bob] = await Promise.all([person("Ada", { plan: "skies-memories" }), person("Bob")]);
  const memories = [
    await memoryWithCover(ada, "canon.jpg", [0.5, 0.9], LONG_NAME),
    await memoryWithCover(ada, "kodak-1998.jpg", [0.1, 0.5], "Zoe"),
  ];
  const { data: album } = await ada.client
    .from("albums")
    .insert({ name: LONG_NAME })
    .select("id")
    .single()
    .throwOnError();
  const ids = memories.map(({ id }) => id);
  await ada.client.rpc("put_in_album", { album_id: album.id, ids }).throwOnError();
  const membership = { memory_id: ids[0], user_id: bob.id, role: "viewer" };
  await server.service().from("memory_members").insert(membership).throwOnError();
  const own = sampled([...ids.map((id) => `/memory/${id}`), "/", "/groups", `/groups/${album.id}`], 3);
  for (const [as, paths] of [
    [ada, own],
    [bob, [`/memory/${ids[0]}`, "/"]],
    [undefined, memories.map(({ share_id }) => `/shared/${share_id}`)],
  ] as const) {
    const page = await visit({ as });
    for (const path of paths) {
      await page.goto(path);
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(page.locator("main img").first(), path).toBeVisible();
        expect(await namesOverPictures(page), `${path} at ${width} px`).toEqual([]);
      }
    }
  }
});

import { expect, type Page } from "@playwright/test";
import { memoryWith } from "../gallery.ts";
import { photoPaths } from "../photos.ts";
import { newRow } from "../sharing.ts";
import { heading, type Say, type Setup, screenArea, text } from "./screen.ts";

/** Walls of every state. */
async function prepare({ person }: Setup) {
  const ada = await person("Ada", { plan: "skies-memories" });
  const paths = await photoPaths("gps-nikon.jpg", "kodak-1998.jpg");
  const wallOf = async (memoryId: string, row: object) => {
    const link = await newRow(ada.client, "share_links", { memory_id: memoryId, rights: "upload" }, "id");
    const wall = await newRow(ada.client, "walls", { memory_id: memoryId, link_id: link.id }, "id", "wall_id");
    await ada.client.from("walls").update(row).eq("id", wall.id).throwOnError();
    return wall.wall_id;
  };
  const one = await memoryWith(ada, paths, { kind: "event", person_name: "Rosa e Ugo" });
  const mosaic = await memoryWith(ada, paths, { kind: "event", person_name: "Rosa e Ugo" });
  const memory = await memoryWith(ada, [], { person_name: "Rosa Bellini" });
  const empty = await memoryWith(ada, [], { kind: "event", person_name: "Rosa e Ugo" });
  const body = "She sang in the kitchen, every morning, with the window open.";
  for (const { id } of [mosaic, memory]) {
    await ada.client.from("comments").insert({ memory_id: id, body }).throwOnError();
    await ada.client.from("reactions").insert({ memory_id: id, kind: "candle" }).throwOnError();
  }
  return {
    one: await wallOf(one.id, { shows_words: false }),
    mosaic: await wallOf(mosaic.id, { layout: "mosaic", is_dark: false }),
    words: await wallOf(memory.id, {}),
    empty: await wallOf(empty.id, { is_dark: false }),
    off: await wallOf((await memoryWith(ada, [], { kind: "event" })).id, { revoked_at: "now" }),
  };
}

type Data = Awaited<ReturnType<typeof prepare>>;

const wall = (key: keyof Data) => (data: Data) => `/wall/${data[key]}`;

const pictures = (count: number) => async (page: Page, say: Say) => {
  await expect(page.locator("[data-item] img")).toHaveCount(count);
  await expect(page.getByRole("img", { name: say("wall:qr") })).toBeVisible();
};

export const wallScreens = screenArea("the live wall", prepare, [
  { route: "/wall/:wallId", state: "one picture", path: wall("one"), enter: pictures(1) },
  { route: "/wall/:wallId", state: "a mosaic in a light room", path: wall("mosaic"), enter: pictures(2) },
  {
    route: "/wall/:wallId",
    state: "words and candles of a tribute",
    path: wall("words"),
    enter: (page) => expect(page.getByText(/She sang/)).toBeVisible(),
  },
  { route: "/wall/:wallId", state: "nothing yet", path: wall("empty"), enter: heading("wall:empty.photo") },
  { route: "/wall/:wallId", state: "off", path: wall("off"), enter: text("wall:off.title") },
]);

import { expect } from "@playwright/test";
import { memoryWith } from "../gallery.ts";
import { photoPaths } from "../photos.ts";
import { heading, type Setup, screenArea } from "./screen.ts";

const SURNAME = "Wolfeschlegelsteinhausenbergerdorff";
const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const URL_IN_TEXT = `https://example.com/${"address".repeat(20)}`;

/** A person, a memory, an album, a story and a comment whose names and texts are single words, longer than a line. */
async function prepare({ person }: Setup) {
  const ada = await person(`${SURNAME}-${SURNAME}`, { plan: "skies-memories" });
  const { id, share_id: shareId } = await memoryWith(ada, await photoPaths("gps-nikon.jpg"), {
    person_name: WORD,
    description: `<p>${URL_IN_TEXT}</p>`,
  });
  const { data: album } = await ada.client.from("albums").insert({ name: WORD }).select("id").single().throwOnError();
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: [id] }).throwOnError();
  await ada.client
    .from("stories")
    .insert({ memory_id: id, title: WORD, body: `<p>${WORD}</p>` })
    .throwOnError();
  await ada.client.from("memory_entries").insert({ memory_id: id, title: WORD, on_date: "1937-09" }).throwOnError();
  await ada.client.from("comments").insert({ memory_id: id, body: URL_IN_TEXT }).throwOnError();
  return { ada, id, shareId, albumId: String(album.id) };
}

type Data = Awaited<ReturnType<typeof prepare>>;

const asAda = ({ ada }: Data) => ada;
const memory = ({ id }: Data) => `/memory/${id}`;

export const longWordScreens = screenArea("pages with words that are longer than a line", prepare, [
  {
    route: "/home",
    state: "greeting a long name",
    path: "/home",
    as: asAda,
    enter: (page) => expect(page.getByRole("heading", { name: SURNAME })).toBeVisible(),
  },
  {
    route: "/dashboard",
    state: "with long names",
    path: "/dashboard",
    as: asAda,
    enter: heading("dashboard:largest.title"),
  },
  {
    route: "/groups",
    state: "with an album of a long name",
    path: "/groups",
    as: asAda,
    enter: (page) => expect(page.getByRole("heading", { name: WORD })).toBeVisible(),
  },
  {
    route: "/groups/:id",
    state: "with long names",
    path: ({ albumId }) => `/groups/${albumId}`,
    as: asAda,
    enter: (page) => expect(page.getByRole("heading", { name: WORD })).toHaveCount(2),
  },
  {
    route: "/memory/:id",
    state: "with long words",
    path: memory,
    as: asAda,
    enter: (page) => expect(page.getByRole("article").getByText(SURNAME).first()).toBeVisible(),
  },
  {
    route: "/memory/:id",
    state: "editing a story with a long address",
    path: memory,
    as: asAda,
    async enter(page, say) {
      await page
        .getByRole("button", { name: say("stories:read.edit") })
        .first()
        .click();
      await expect(page.locator(".ProseMirror")).toHaveText(URL_IN_TEXT);
    },
  },
  {
    route: "/shared/:shareId",
    state: "a memory with long words",
    path: ({ shareId }) => `/shared/${shareId}`,
    enter: (page) => expect(page.getByRole("article").getByText(SURNAME).first()).toBeVisible(),
  },
]);

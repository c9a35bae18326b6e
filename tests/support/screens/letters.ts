import { expect, type Page } from "@playwright/test";
import { memoryWith } from "../gallery.ts";
import type { Person } from "../people.ts";
import { photoPaths } from "../photos.ts";
import { click, heading, type Say, type Setup, screenArea, text } from "./screen.ts";

/** Asks one person about a memory's photos; resolves to the path of the link. */
async function ask({ client }: Person, memoryId: string, ids: string[], recipient: string) {
  const { data: key } = await client
    .rpc("ask_about_photos", {
      letter_id: crypto.randomUUID(),
      memory_id: memoryId,
      media_ids: ids,
      recipient,
      note: "You were there, and you remember everything. Whatever comes to your mind helps.",
    })
    .throwOnError();
  return `/answer#${key}`;
}

/** A memory with answers of two people who contradict each other, one without questions, and links of every state. */
async function prepare({ person, server }: Setup) {
  const ada = await person("Ada", { plan: "skies-memories" });
  const memory = await memoryWith(ada, await photoPaths("canon.jpg", "kodak-1998.jpg"), {
    person_name: "Rosa Bellini",
  });
  const empty = await memoryWith(ada, await photoPaths("canon.jpg"), { person_name: "Ugo" });
  const { data } = await ada.client.from("media").select("id").eq("memory_id", memory.id).order("id").throwOnError();
  const ids = (data ?? []).map(({ id }) => String(id));
  const links: Record<string, string> = {};
  for (const name of ["Aunt May", "Uncle Tom", "Nina"]) links[name] = await ask(ada, memory.id, ids, name);
  const service = server.service();
  const { data: letters } = await ada.client.from("photo_letters").select("id,recipient").throwOnError();
  const idOf = (name: string) => letters?.find(({ recipient }) => recipient === name)?.id;
  const row = (name: string, about: string, answer: string, state: string) => ({
    letter_id: idOf(name),
    memory_id: memory.id,
    media_id: ids[0],
    about,
    answer,
    state,
  });
  const answers = [
    row("Aunt May", "who", "Rosa on the left, with her brother Ugo", "new"),
    row("Aunt May", "when", "about 1962", "new"),
    row("Uncle Tom", "when", "It was in the summer of 1958, before the wedding", "kept"),
    row("Uncle Tom", "where", "At the sea in Rimini", "accepted"),
  ];
  await service.from("photo_answers").insert(answers).throwOnError();
  await ada.client.from("photo_letters").update({ withdrawn_at: "now" }).eq("recipient", "Nina").throwOnError();
  return { ada, memoryId: memory.id, emptyId: empty.id, links };
}

type Data = Awaited<ReturnType<typeof prepare>>;

const link = (name: string) => (data: Data) => data.links[name] ?? "";
const begin = async (page: Page, say: Say) => {
  await click(page, say("letter:start.begin"));
  await expect(page.getByRole("img", { name: say("letter:photo.alt", { number: 1, count: 2 }) })).toBeVisible();
};

export const letterScreens = screenArea("letters about photos", prepare, [
  { route: "/answer", state: "who asks", path: link("Aunt May"), enter: text("letter:start.how") },
  { route: "/answer", state: "a photo", path: link("Aunt May"), enter: begin },
  {
    route: "/answer",
    state: "thanks",
    path: link("Uncle Tom"),
    enter: async (page, say) => {
      await begin(page, say);
      for (const key of ["letter:next", "letter:skipLast"] as const) await click(page, say(key));
      await expect(
        page.getByRole("heading", { name: say("letter:done.title", { recipient: "Uncle Tom" }) }),
      ).toBeVisible();
    },
  },
  { route: "/answer", state: "ended", path: link("Nina"), enter: heading("letter:ended.title") },
  {
    route: "/memory/:id/questions",
    state: "with answers",
    as: ({ ada }: Data) => ada,
    path: ({ memoryId }: Data) => `/memory/${memoryId}/questions`,
    enter: heading("questions:answers.title"),
  },
  {
    route: "/memory/:id/questions",
    state: "nobody asked",
    as: ({ ada }: Data) => ada,
    path: ({ emptyId }: Data) => `/memory/${emptyId}/questions`,
    enter: text("questions:none.title"),
  },
]);

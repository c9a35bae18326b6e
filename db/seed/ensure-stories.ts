import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../shared/database.ts";

/** Adds a memory's stories and timeline entries if it has none. The memory's photos must already exist. */
export async function ensureStories(client: SupabaseClient<Database>, memoryId: string, name: string) {
  const { stories, entries } = storiesOf[name] ?? { stories: [], entries: [] };
  const { data: photos } = await client.from("media").select("id, file_name").eq("memory_id", memoryId).throwOnError();
  const idOf = (fileName: string | undefined) => photos.find(({ file_name }) => file_name === fileName)?.id ?? null;
  const isEmpty = async (table: "stories" | "memory_entries") => {
    const { data } = await client.from(table).select("id").eq("memory_id", memoryId).limit(1).throwOnError();
    return data.length === 0;
  };
  if (stories.length > 0 && (await isEmpty("stories"))) {
    for (const { title, body } of stories) {
      const withPhotos = body.replace(
        /{([^|}]+)\|([^}]*)}/g,
        (_, file: string, caption: string) =>
          `<figure data-media="${idOf(file)}"><figcaption>${caption}</figcaption></figure>`,
      );
      // One after another, because each story gets the next position.
      await client.from("stories").insert({ memory_id: memoryId, title, body: withPhotos }).throwOnError();
    }
  }
  if (entries.length > 0 && (await isEmpty("memory_entries"))) {
    const rows = entries.map(({ photo, place = "", note = "", ...entry }) => ({
      on_date: null,
      starts_at: null,
      ...entry,
      place,
      note,
      memory_id: memoryId,
      media_id: idOf(photo),
    }));
    await client.from("memory_entries").insert(rows).throwOnError();
  }
}

/** Stories and timeline entries of a memory. `{file.jpg|caption}` in a body stands for that photo with a caption. */
interface SeedStories {
  stories: { title: string; body: string }[];
  entries: SeedEntry[];
}

interface SeedEntry {
  title: string;
  on_date?: string;
  starts_at?: string;
  place?: string;
  note?: string;
  /** The file name of the entry's photo. */
  photo?: string;
}

/** Stories and entries by the memory's name. */
const storiesOf: Record<string, SeedStories> = {
  "Arthur Bellwood": {
    stories: [
      {
        title: "The tarn, early",
        body: `<p>He woke us at four. Nobody had agreed to four. By the time the light came we were over the wall and down to the water,
and he had the stove going behind a stone as though he had left it there the week before.</p>{by-the-tarn.jpg|Half past eight, and
nobody else for miles}<h2>What was in the bag</h2><ul><li><p>Soup, in the flask that leaked</p></li><li><p>Mint cake</p></li><li><p>One
apple, which he cut in three with his father's penknife</p></li></ul><p>I have been back since, with my own two. I took the flask. It
still leaks.</p>`,
      },
      {
        title: "",
        body: `<p>When my mother could no longer read her letters he stayed on the doorstep and read them to her. It was the end of the
round and he must have been tired. He never said so, to her or to anybody.</p>`,
      },
    ],
    entries: [
      { title: "First day at school", on_date: "1943-09", place: "Dent" },
      {
        title: "The post office",
        on_date: "1961",
        note: "He meant to stay for one summer.",
      },
      { title: "Married Ellen", on_date: "1964-06-13", place: "St Andrew's", note: "It rained until the photograph." },
      { title: "Last round", on_date: "1992-03-27", note: "Forty-one houses came out to wave, and nine dogs." },
      { title: "The last big walk", on_date: "2021-10-03", place: "The tops", photo: "last-of-the-light.jpg" },
    ],
  },
  "Forty years of Ruth and Daniel": {
    stories: [],
    entries: [
      { title: "Tents and soup", on_date: "2026-07-10", starts_at: "18:00", place: "The far field" },
      { title: "Swim, for the brave", starts_at: "07:30", place: "The jetty", photo: "saturday-swim.jpg" },
      {
        title: "Vows, again",
        starts_at: "15:30",
        place: "Under the big oak",
        note: "Bring a coat; it is windy there.",
      },
      { title: "Supper and speeches", starts_at: "19:00", place: "The barn", note: "Daniel cooks. Be kind." },
      { title: "Walking back by the lake", on_date: "2026-07-12", starts_at: "00:15" },
    ],
  },
  "Grace Adeyemi": {
    stories: [
      {
        title: "The shallow end",
        body: `<p>I was nine and would not let go of the rail. She did not hurry me. She talked about jollof until I was so hungry that I
swam to the other side to get dressed.</p>{with-joseph.jpg|Joseph, on her seventy-second birthday}`,
      },
    ],
    entries: [
      { title: "Off the boat train", on_date: "1971-09-14", place: "Liverpool" },
      { title: "The first swimming lesson", on_date: "1978", note: "Six children, one float." },
      {
        title: "Last day on the ward",
        on_date: "2006-08-18",
        note: "They gave her a clock. She gave it to the porter.",
      },
      { title: "The long beach", on_date: "2019-09-08", photo: "the-long-beach.jpg" },
    ],
  },
  "Chiara e Matteo sposi": {
    stories: [],
    entries: [
      { title: "La sera prima, al lago", on_date: "2026-06-19", starts_at: "20:30", photo: "la-sera-prima.jpg" },
      { title: "Il sì", starts_at: "11:30", place: "Nel prato grande" },
      { title: "Pranzo", starts_at: "13:00", place: "Sotto i tigli", note: "Portate un cappello." },
      { title: "Si balla", starts_at: "21:00", place: "L'aia" },
    ],
  },
  "Renato Fabbri": {
    stories: [
      {
        title: "La rete",
        body: `<p>Mi mise in mano l'ago e disse di contare i nodi a voce alta. Arrivato a cento mi ero scordato di avere freddo. Ne
mancavano altri mille.</p>{con-matteo.jpg|Ferragosto, al molo}`,
      },
    ],
    entries: [
      { title: "La prima barca", on_date: "1958-04", place: "Al porto" },
      { title: "Il matrimonio con Lidia", on_date: "1961-09-02" },
      { title: "L'ultima uscita", on_date: "2018-05-02", photo: "prima-di-partire.jpg", note: "Mare calmo." },
    ],
  },
  "Teresa Marchetti": {
    stories: [],
    entries: [
      { title: "La prima classe", on_date: "1962-10", place: "Scuola elementare" },
      { title: "Il matrimonio con Aldo", on_date: "1966-05-21" },
      { title: "La casa in collina", on_date: "1974", note: "Due stanze e un fico." },
      { title: "L'ultima vendemmia", on_date: "2020-09-20", photo: "sera-di-vendemmia.jpg" },
    ],
  },
};

import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { datedSearch } from "../../shared/search-dates.ts";
import { testDatabase } from "../support/database.ts";

const db = await testDatabase();

/** Names of rows by their ids, for readable failures. */
const names = new Map<string, string>();
const caller: Caller = { role: "authenticated", sub: randomUUID() };

async function add(name: string, row: string, ...values: unknown[]): Promise<string> {
  const { rows } = await db.query<{ id: string }>(`insert into ${row} returning id`, values);
  const id = rows[0]?.id ?? "";
  names.set(id, name);
  return id;
}

const memory = (
  name: string,
  description: string,
  born: string | null,
  died: string | null,
  event: string | null = null,
) =>
  add(
    name,
    "memories (user_id, person_name, description, birth_date, passing_date, event_date, kind) values ($1, $2, $3, $4, $5, $6, $7)",
    caller.sub,
    name,
    description,
    born,
    died,
    event,
    event ? "event" : "tribute",
  );

async function photo(memoryId: string, caption: string, takenAt: string | null, file: string) {
  const name = `${memoryId}/${randomUUID()}.jpg`;
  const id = await add(
    file,
    `storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
    name,
    caller.sub,
  );
  await db.query("update media set caption = $2, taken_at = $3 where id = $1", [id, caption, takenAt]);
  await db.query("update media_details set file_name = $2 where media_id = $1", [id, file]);
  return id;
}

const story = (name: string, memoryId: string, title: string, body: string) =>
  add(name, "stories (memory_id, user_id, title, body) values ($1, $2, $3, $4)", memoryId, caller.sub, title, body);
const comment = (name: string, memoryId: string, body: string, mediaId: string | null = null) =>
  add(
    name,
    "comments (memory_id, user_id, body, media_id) values ($1, $2, $3, $4)",
    memoryId,
    caller.sub,
    body,
    mediaId,
  );
const moment = (name: string, memoryId: string, title: string, place: string, date: string) =>
  add(name, "memory_entries (memory_id, title, place, on_date) values ($1, $2, $3, $4)", memoryId, title, place, date);

beforeAll(async () => {
  await db.exec("alter table memories disable trigger limit_memories");
  await db.query("insert into auth.users (id, email, email_confirmed_at) values ($1, 'ada@example.com', now())", [
    caller.sub,
  ]);
  const rose = await memory(
    "Rose Whitfield",
    "<p>She loved roses &amp; old steam trains.</p>",
    "1921-05-04",
    "2009-11",
  );
  const arthur = await memory("Arthur O’Neill", "<p>A sailor from Cork.</p>", "1930", "2001-03-17");
  const wedding = await memory("Emma & Tom", "<p>Two days by the lake.</p>", null, null, "2019-06-22");
  const nonna = await memory(
    "Nonna Lucia D’Angelo",
    "<p>La sua cucina profumava di basilico.</p>",
    "1926-06-02",
    "2014",
  );
  const carlo = await memory("Niccolò Però", "<p>Falegname a Forlì, città del suo cuore.</p>", "193X", "1999-12-24");
  const nozze = await memory("Matrimonio di Giulia e Marco", "<p>Una giornata di sole.</p>", null, null, "2021-09-11");
  await add("Family summers", "albums (user_id, name) values ($1, 'Family summers')", caller.sub);
  await add("Le vacanze al mare", "albums (user_id, name) values ($1, 'Le vacanze al mare')", caller.sub);
  const beach = await photo(rose, "Children building a sandcastle at Whitby", "1958-22", "IMG_2041.JPG");
  await photo(rose, "Grandma’s birthday cake", "1981-05-04", "scan 017.tif");
  await photo(rose, "The old railway bridge", "195X~", "bridge.png");
  await photo(arthur, "On the ferry with Uncle Séamus", "1949-08", "DSC00017.jpg");
  await photo(wedding, "First dance", "2019-06-22", "dance.jpg");
  await photo(wedding, "The bridesmaids laughing", "2019-06-22", "bridesmaids.heic");
  await photo(nonna, "La nonna prepara gli gnocchi", "1974-22", "gnocchi.jpg");
  await photo(nonna, "Ferragosto sulla spiaggia di Rimini", "1974-08-15", "PICT0815.JPG");
  await photo(carlo, "La bottega dell’artigiano", "1949", "bottega.jpg");
  await photo(carlo, "Perché ridiamo così? L’estate più bella", "1962-07", "ridere.jpg");
  await photo(nozze, "Il lancio del bouquet", "2021-09-11", "bouquet.jpg");
  await photo(nozze, "Gli zii di Torino", "2021-09-11", "zii.jpg");
  await story(
    "The lost suitcase",
    rose,
    "The lost suitcase",
    "<p>On the way to Edinburgh she left her suitcase on the platform.</p>",
  );
  await story(
    "Tomatoes",
    rose,
    "Her greenhouse",
    "<p>Every spring she planted tomatoes and gave them to the neighbours.</p>",
  );
  await story(
    "Il forno",
    nonna,
    "Il forno del paese",
    "<p>Ogni sabato impastava il pane per i vicini e raccontava storie di guerra.</p>",
  );
  await story("La bicicletta", carlo, "La bicicletta rossa", "<p>Pedalava fino al fiume con gli amici.</p>");
  await comment("Her laugh", rose, "I can still hear her laughing in the kitchen");
  await comment("Sandcastle", rose, "That was me with the bucket!", beach);
  await comment("Profumo", nonna, "Mi mancano le tue lasagne della domenica");
  await comment("Auguri", nozze, "Auguri agli sposi, che festa meravigliosa!");
  await moment("Moved to Leeds", rose, "Moved to Leeds", "Leeds, Yorkshire", "1947");
  await moment("Married", arthur, "Married Kathleen", "St Mary’s Church", "1956-06-02");
  await moment("Emigrò", nonna, "Emigrò in Svizzera", "Zürich", "1951");
  await moment("Prima comunione", carlo, "Prima comunione", "Chiesa di San Mercuriale", "1940-05-26");
});

type Found = {
  kind: string;
  id: string;
  memory_id: string | null;
  memory_name: string;
  title: string;
  words: string;
  similar: boolean;
};

async function searched(text: string, as: Caller = caller, memoryId: string | null = null): Promise<Found[]> {
  const { dates, rest } = datedSearch(text);
  const { rows } = await asCaller(db, as, (tx) =>
    tx.query<Found>("select * from search($1, $2, $3, $4, $5, $6, $7)", [
      text,
      rest,
      dates?.since ?? null,
      dates?.until ?? null,
      dates?.within ?? false,
      dates?.monthDay ?? null,
      memoryId,
    ]),
  );
  return rows;
}

const ENGLISH: [query: string, result: string][] = [
  ["Rose", "Rose Whitfield"],
  ["whitfield rose", "Rose Whitfield"],
  ["whit", "Rose Whitfield"],
  ["Whitfeild", "Rose Whitfield"],
  ["oneill", "Arthur O’Neill"],
  ["O'Neill", "Arthur O’Neill"],
  ["o’neil", "Arthur O’Neill"],
  ["ARTHUR", "Arthur O’Neill"],
  ["emma and tom", "Emma & Tom"],
  ["sailors", "Arthur O’Neill"],
  ["steam train", "Rose Whitfield"],
  ["sandcastles", "IMG_2041.JPG"],
  ["sand castle whitby", "IMG_2041.JPG"],
  ["child building", "IMG_2041.JPG"],
  ["rose sandcastle", "IMG_2041.JPG"],
  ["photos of the sandcastle", "IMG_2041.JPG"],
  ["sandcaslte", "IMG_2041.JPG"],
  ["grandmas cake", "scan 017.tif"],
  ["grandma's birthdays", "scan 017.tif"],
  ["birhtday", "scan 017.tif"],
  ["railway bridges", "bridge.png"],
  ["uncle seamus", "DSC00017.jpg"],
  ["Séamus ferry", "DSC00017.jpg"],
  ["dancing", "dance.jpg"],
  ["bridesmaid", "bridesmaids.heic"],
  ["laughed", "bridesmaids.heic"],
  ["brides", "bridesmaids.heic"],
  ["suitcase", "The lost suitcase"],
  ["lost suitcases edinburgh", "The lost suitcase"],
  ["edinburg", "The lost suitcase"],
  ["edingburgh", "The lost suitcase"],
  ["tomato", "Tomatoes"],
  ["planting tomatoes", "Tomatoes"],
  ["neighbour", "Tomatoes"],
  ["greenhuose", "Tomatoes"],
  ["laughing kitchen", "Her laugh"],
  ["bucket", "Sandcastle"],
  ["leeds", "Moved to Leeds"],
  ["moving to leeds", "Moved to Leeds"],
  ["yorkshire", "Moved to Leeds"],
  ["marry kathleen", "Married"],
  ["st marys church", "Married"],
  ["2 June", "Married"],
  ["June 2nd", "Married"],
  ["summer 1958", "IMG_2041.JPG"],
  ["the 1950s", "bridge.png"],
  ["before 1950", "DSC00017.jpg"],
  ["after 2015", "dance.jpg"],
  ["22/06/2019", "dance.jpg"],
  ["June 2019", "Emma & Tom"],
  ["born 1921 rose", "Rose Whitfield"],
  ["family summer", "Family summers"],
  ["img_2041", "IMG_2041.JPG"],
  ["DSC00017.jpg", "DSC00017.jpg"],
];

const ITALIAN: [query: string, result: string][] = [
  ["nonna lucia", "Nonna Lucia D’Angelo"],
  ["lucia nonna", "Nonna Lucia D’Angelo"],
  ["d'angelo", "Nonna Lucia D’Angelo"],
  ["dangelo", "Nonna Lucia D’Angelo"],
  ["d angelo", "Nonna Lucia D’Angelo"],
  ["angelo", "Nonna Lucia D’Angelo"],
  ["niccolo", "Niccolò Però"],
  ["NICCOLÒ", "Niccolò Però"],
  ["nicolo", "Niccolò Però"],
  ["pero", "Niccolò Però"],
  ["forli", "Niccolò Però"],
  ["citta", "Niccolò Però"],
  ["falegnami", "Niccolò Però"],
  ["cucine", "Nonna Lucia D’Angelo"],
  ["basilico", "Nonna Lucia D’Angelo"],
  ["bassilico", "Nonna Lucia D’Angelo"],
  ["matrimoni", "Matrimonio di Giulia e Marco"],
  ["nozze di giulia", "Matrimonio di Giulia e Marco"],
  ["matrimonio marco", "Matrimonio di Giulia e Marco"],
  ["gnocco", "gnocchi.jpg"],
  ["gnochi", "gnocchi.jpg"],
  ["preparare gli gnocchi", "gnocchi.jpg"],
  ["foto della nonna", "gnocchi.jpg"],
  ["nonna spiaggia", "PICT0815.JPG"],
  ["spiagge", "PICT0815.JPG"],
  ["ferragosto", "PICT0815.JPG"],
  ["rimini 1974", "PICT0815.JPG"],
  ["artigiani", "bottega.jpg"],
  ["l'artigiano", "bottega.jpg"],
  ["artigiano", "bottega.jpg"],
  ["la bottega dell'artigiano", "bottega.jpg"],
  ["botega", "bottega.jpg"],
  ["perche ridiamo", "ridere.jpg"],
  ["cosi", "ridere.jpg"],
  ["l'estate più bella", "ridere.jpg"],
  ["zio di torino", "zii.jpg"],
  ["zia torino", "zii.jpg"],
  ["lanci del bouquet", "bouquet.jpg"],
  ["buquet", "bouquet.jpg"],
  ["forni", "Il forno"],
  ["il pane per i vicini", "Il forno"],
  ["storia di guerra", "Il forno"],
  ["biciclette rosse", "La bicicletta"],
  ["bicicleta", "La bicicletta"],
  ["amico fiume", "La bicicletta"],
  ["lasagna", "Profumo"],
  ["feste meravigliose", "Auguri"],
  ["emigro", "Emigrò"],
  ["emigrato svizzera", "Emigrò"],
  ["zurich", "Emigrò"],
  ["svizera", "Emigrò"],
  ["comunioni", "Prima comunione"],
  ["estate 1974", "gnocchi.jpg"],
  ["nell'estate del 1974", "gnocchi.jpg"],
  ["2 giugno", "Nonna Lucia D’Angelo"],
  ["prima del 1950", "bottega.jpg"],
  ["dopo il 2020", "bouquet.jpg"],
  ["anni quaranta", "Prima comunione"],
  ["anni '40", "Prima comunione"],
  ["agosto 1974", "PICT0815.JPG"],
  ["15 agosto", "PICT0815.JPG"],
  ["luglio 1962", "ridere.jpg"],
  ["11 settembre 2021", "zii.jpg"],
  ["tra il 1950 e il 1952", "Emigrò"],
  ["vacanza al mare", "Le vacanze al mare"],
  ["pict0815", "PICT0815.JPG"],
];

test("there are fifty pairs in each language", () => {
  expect(ENGLISH.length).toBeGreaterThanOrEqual(50);
  expect(ITALIAN.length).toBeGreaterThanOrEqual(50);
});

test.each([...ENGLISH, ...ITALIAN])("%s finds %s", async (query, result) => {
  const results = (await searched(query)).map(({ id }) => names.get(id) ?? id);
  expect(results).toContain(result);
  // Most of the rows have nothing to do with the query.
  expect(new Set(results).size).toBeLessThan(names.size / 2);
});

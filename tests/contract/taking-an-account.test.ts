import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openAccount } from "../../scripts/setup/open-account.mjs";
import { run } from "../../scripts/setup/processes.mjs";
import { openPostgres } from "../../server/database/postgres.ts";
import { importAccount } from "../../server/downloads/import-account.ts";
import { ExportedAccount } from "../../shared/account-export.ts";
import type { DownloadAnswer, DownloadReady } from "../../shared/download.ts";
import { atEnd } from "../support/at-end.ts";
import { freshFolder, photo } from "../support/backups.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { type Person, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newRow, post } from "../support/sharing.ts";
import { tinyVideo } from "../support/tiny-video.ts";
import { freshName, jpeg } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

/** Downloads a person's whole account, as they do on their profile. */
async function exportOf(person: Person): Promise<Buffer> {
  for (;;) {
    const { data, error } = await person.client.functions.invoke<DownloadAnswer>("prepare-download", {
      body: { account: true },
    });
    if (error) throw error;
    if (data?.state === "ready") {
      const bytes = Buffer.from(await (await fetch((data as DownloadReady).url)).arrayBuffer());
      expect(bytes.length).toBe((data as DownloadReady).size);
      return bytes;
    }
  }
}

/** Reads an export, with ids numbered in the order of their first use, and without values that differ each time. */
async function contentsOf(zip: Buffer) {
  const files = await unzip(zip);
  const json = files.find(({ path }) => path.endsWith("/account.json"))?.bytes.toString() ?? "";
  const ids = new Map<string, string>();
  const named = (text: string) =>
    text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
      return ids.get(id) ?? "";
    });
  const account = ExportedAccount.parse(JSON.parse(json));
  const { exported_at: _, ...rest } = account;
  const text = JSON.stringify(rest, (key, value) => (/^(eTag|lastModified)$/.test(key) ? undefined : value));
  const content = named(text);
  const bytes = new Map(files.map(({ path, bytes }) => [named(path), bytes.toString("base64")]));
  for (const path of bytes.keys()) if (/account\.json|checksums/.test(path)) bytes.delete(path);
  return { json, account, content: JSON.parse(content), bytes };
}

test("Spec §4: an account moves to another installation without loss, with others' names but no secrets", async () => {
  const here = await testServer();
  const [databaseUrl, dataDir] = [await testDatabaseUrl(), await freshFolder()];
  const db = await openPostgres(databaseUrl);
  atEnd(() => db.close());
  const there = await testServer({}, { db, dataDir });
  const ada = await signUpWithPlan(here, "Ada Rossi");
  const bob = await signUpWithPlan(here, "Bob Rossi");
  const [memoryId, albumId] = [randomUUID(), randomUUID()];
  await ada.client.from("albums").insert({ id: albumId, name: "Family" }).throwOnError();
  await ada.client
    .from("memories")
    .insert({
      id: memoryId,
      person_name: "Nonna Rosa",
      birth_date: "1931-04",
      passing_date: "2019-03-02",
      album_id: albumId,
    })
    .throwOnError();
  const { service } = here;
  await service()
    .from("memory_members")
    .insert({ memory_id: memoryId, user_id: bob.id, role: "contributor" })
    .throwOnError();
  const add = async (person: Person, name: string, bytes: Buffer, bucket = "media") => {
    const { data, error } = await person.client.storage.from(bucket).upload(name, bytes);
    if (error) throw error;
    return data.id;
  };
  const hers = await add(ada, freshName(memoryId), await photo(700_000));
  const his = await add(bob, freshName(memoryId), await photo());
  const film = freshName(memoryId, "mp4");
  const video = await add(ada, film, tinyVideo());
  await add(ada, `${film}.jpg`, await jpeg(), "posters");
  const change = (id: string, values: object) => service().from("media").update(values).eq("id", id).throwOnError();
  await change(hers, { caption: "At the lake", taken_at: "1958-07", position: 2, is_cover: true });
  await change(his, { caption: "With Bob", alt_text: "Two people", taken_at: "1990-12-24T20:15:00", position: 1 });
  await service().from("media").update({ moderation: "hidden" }).eq("id", video).throwOnError();
  await ada.client
    .from("memories")
    .update({ cover_x: 0.25, description: "<p>She sang.</p>", media_order: "arranged" })
    .eq("id", memoryId)
    .throwOnError();
  await ada.client.from("albums").update({ cover_media_id: hers }).eq("id", albumId).throwOnError();
  for (const [person, title] of [
    [ada, "The war"],
    [bob, "Her kitchen"],
  ] as const) {
    await person.client
      .from("stories")
      .insert({ memory_id: memoryId, title, body: `<p>Told by ${title}</p>` })
      .throwOnError();
  }
  await ada.client
    .from("memory_entries")
    .insert({ memory_id: memoryId, on_date: "1950", title: "Wedding", place: "Lecco", note: "Rain", media_id: hers })
    .throwOnError();
  const burial = {
    part: "service",
    title: "Service",
    on_date: "2026-05-09",
    starts_at: "14:00:00",
    time_zone: "Europe/Rome",
  };
  const serviceId = randomUUID();
  await ada.client
    .rpc("save_day_part", {
      memory_id: memoryId,
      part_id: serviceId,
      changes: { ...burial, address: "Via Roma 1", audience: "members", stream_url: "https://example.com/live" },
    })
    .throwOnError();
  const promptId = randomUUID();
  await ada.client
    .from("prompts")
    .insert({ id: promptId, memory_id: memoryId, text: "What did she cook best?", suggestion: "cooked" })
    .throwOnError();
  const { data: slideshow } = await ada.client
    .from("slideshows")
    .insert({ memory_id: memoryId, title: "Her years", pace: 8, shows_captions: false })
    .select("id, revision")
    .single()
    .throwOnError();
  await ada.client
    .rpc("arrange_slideshow", { slideshow: slideshow.id, pictures: [his, hers], revision: slideshow.revision })
    .throwOnError();
  await ada.client
    .from("comments")
    .insert({ memory_id: memoryId, body: "Risotto", prompt_id: promptId })
    .throwOnError();
  await ada.client
    .from("reveals")
    .insert({ memory_id: memoryId, reveal_at: "2126-05-10T08:00:00Z", time_zone: "Europe/Rome" })
    .throwOnError();
  const diet = { id: randomUUID(), kind: "text", text: "What do you not eat?", choices: [] };
  const limits = { closes_at: "2026-05-01T18:00:00Z", time_zone: "Europe/Rome", places: 40, waiting_list: true };
  await ada.client
    .rpc("save_day_reply_settings", { memory_id: memoryId, part_ids: [serviceId], ...limits, questions: [diet] })
    .throwOnError();
  await ada.client
    .rpc("save_day_reply", {
      memory_id: memoryId,
      reply_id: randomUUID(),
      answer: "yes",
      names: ["Carla", ""],
      part_ids: [serviceId],
      note: "With the pram",
      answers: { [diet.id]: ["Nuts"] },
    })
    .throwOnError();
  const { data: replies } = await ada.client.from("day_replies").select("id").eq("memory_id", memoryId).throwOnError();
  const prints = { title: "Nonna Rosa", left_out: [`${replies[0]?.id} Carla`], extra_names: ["Zio"], design: "tint" };
  await ada.client
    .from("memory_prints")
    .insert({ memory_id: memoryId, ...prints })
    .throwOnError();
  const hymn = { id: randomUUID(), kind: "hymn", title: "Abide with me", by: "", text: "Fast falls\n" };
  await ada.client
    .from("memory_services")
    .insert({ memory_id: memoryId, items: [hymn] })
    .throwOnError();
  const say = async (person: Person, content: object) => {
    const data = await newRow(person.client, "comments", { memory_id: memoryId, ...content });
    return String(data?.id);
  };
  const first = await say(bob, { body: "I miss her", media_id: hers });
  await say(ada, { body: "So do I", parent_id: first });
  await say(ada, { body: "@Bob Rossi do you remember?", mentions: [bob.id] });
  const react = (person: Person, row: object) =>
    person.client
      .from("reactions")
      .insert({ memory_id: memoryId, ...row })
      .throwOnError();
  await react(bob, { kind: "candle" });
  await react(ada, { kind: "candle" });
  await react(ada, { kind: "heart", comment_id: first });
  await ada.client
    .from("share_links")
    .insert({ memory_id: memoryId, label: "For the choir", rights: "comment", allows_download: false, moderated: true })
    .throwOnError();
  await ada.client.from("share_links").insert({ album_id: albumId, label: "All of us" }).throwOnError();
  const invited = "secret.cousin@example.com";
  await ada.client.from("invitations").insert({ memory_id: memoryId, email: invited, role: "viewer" }).throwOnError();
  await ada.client.from("memory_reminders").insert({ memory_id: memoryId, occasion: "passing" }).throwOnError();

  const mediaId = String(
    (await ada.client.from("media").select("id").eq("memory_id", memoryId).limit(1).single()).data?.id,
  );
  const [may, maria] = [crypto.randomUUID(), crypto.randomUUID()];
  const nameOne = (id: string, name: string, point = {}) =>
    ada.client
      .rpc("name_people", { memory_id: memoryId, media_ids: [mediaId], person_id: id, name, ...point })
      .throwOnError();
  await nameOne(may, "Aunt May", { x: 0.25, y: 0.5 });
  await nameOne(maria, "Maria Rossi");
  await ada.client
    .from("pictured_people")
    .update({ other_names: ["Mimi"], born_year: 1931 })
    .eq("id", maria)
    .throwOnError();
  await ada.client.from("pictured_people").update({ merged_into: maria }).eq("id", may).throwOnError();
  await ada.client.from("pictured_identities").insert({ person_id: maria, memory_id: memoryId }).throwOnError();
  await change(mediaId, { state: "ready" });
  const { data: letterKey } = await ada.client
    .rpc("ask_about_photos", {
      letter_id: randomUUID(),
      memory_id: memoryId,
      media_ids: [mediaId],
      recipient: "Aunt May",
      note: "Do you remember?",
    })
    .throwOnError();
  const { token } = (await post(here, "open-letter", { key: letterKey })).body;
  await here
    .client(String(token))
    .rpc("answer_photo", { media_id: mediaId, who: "", taken: "about 1962", place: "" })
    .throwOnError();

  const zip = await exportOf(ada);
  const exported = await contentsOf(zip);
  expect(exported.account.memories).toHaveLength(1);
  const [memory] = exported.account.memories;
  const kinds = ["media", "stories", "entries", "comments", "reactions", "links", "reminders"] as const;
  expect(kinds.map((kind) => memory?.[kind].length)).toEqual([3, 2, 2, 4, 3, 2, 1]);
  expect(memory?.people).toMatchObject([
    { name: "Aunt May", merged_into: maria, own_memory_id: null },
    { name: "Maria Rossi", other_names: ["Mimi"], born_year: 1931, own_memory_id: memoryId },
  ]);
  expect(memory?.media.find(({ id }) => id === mediaId)?.names).toHaveLength(2);
  expect(memory?.slideshows).toMatchObject([{ title: "Her years", pace: 8, photos: [expect.any(String), mediaId] }]);
  expect(memory?.letters).toMatchObject([
    {
      recipient: "Aunt May",
      media_ids: [mediaId],
      answers: [{ media_id: mediaId, about: "when", answer: "about 1962" }],
    },
  ]);
  expect(memory?.stories.map(({ author }) => author)).toEqual([
    { mine: true, name: "Ada Rossi" },
    { mine: false, name: "Bob Rossi" },
  ]);
  // The URL of a link is secret, and so are the addresses and accounts of other people.
  const { data: links } = await service().from("share_links").select("share_id").throwOnError();
  for (const secret of [
    invited,
    letterKey,
    bob.email,
    bob.id,
    ada.email,
    ...(links ?? []).map(({ share_id }) => share_id),
  ]) {
    expect(exported.json).not.toContain(secret);
  }
  expect((await contentsOf(await exportOf(bob))).account.memories).toEqual([]);
  expect((await post(here, "prepare-download", { account: true })).status).toBe(401);

  const path = join(await freshFolder(), "account.zip");
  await writeFile(path, zip);
  const file = await openAccount(path);
  const fresh = await signUpWithPlan(there, "Ada Elsewhere");
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...inject("s3") };
  const command = ["scripts/admin.mjs", "import-account", path, fresh.email];
  const taken = await run(process.execPath, command, { quiet: true, env });
  expect(taken).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Added to the account of ${fresh.email}: memories 1, files 4.`),
  });
  const arrived = await contentsOf(await exportOf(fresh));
  expect(arrived.content).toEqual(exported.content);
  expect(arrived.bytes).toEqual(exported.bytes);
  // The import creates no notices and shares nothing, and the links are new.
  expect((await fresh.client.from("notices").select("id").throwOnError()).data).toEqual([]);
  const { data: fresher } = await there.service().from("share_links").select("share_id, shared_at").throwOnError();
  expect(fresher?.map(({ shared_at }) => shared_at)).toEqual([null, null, null]);
  const shareIds = (links ?? []).map(({ share_id }) => share_id);
  expect(fresher?.filter(({ share_id }) => shareIds.includes(share_id))).toEqual([]);

  // A forged file is sanitised, damaged bytes are left out, and an unknown address gets a clear message.
  const made = JSON.parse(file.text);
  made.memories[0].stories[0].body = '<p onclick="alert(1)">Hm<script>alert(1)</script></p>';
  const forged = {
    text: JSON.stringify(made),
    open: (name: string) => (name.includes(his) ? undefined : file.open(name)),
  };
  const partly = await importAccount(there, fresh.email, forged);
  expect(partly.leftOut).toEqual([expect.stringContaining(his)]);
  const { data: stories } = await there.service().from("stories").select("body").like("body", "%Hm%").throwOnError();
  expect(stories).toEqual([{ body: "<p>Hm</p>" }]);
  await expect(importAccount(there, "nobody@example.com", file)).rejects.toThrow("Let them sign up first");
  await expect(importAccount(there, fresh.email, { ...file, text: "{}" })).rejects.toThrow("no account of Skies");
  await file.close();
});

import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { hostileTexts, naughtyStrings } from "../support/hostile-texts.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { newRow } from "../support/sharing.ts";
import { unzip } from "../support/zip.ts";

/** Joins texts into pieces of at most `most` characters. */
function packed(texts: string[], most: number): string[] {
  const pieces: string[] = [];
  for (const text of texts.filter((one) => one.length <= most)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + text.length < most) pieces[pieces.length - 1] = `${last} ${text}`;
    else pieces.push(text);
  }
  return pieces;
}

/** Returns scripts that have run in a page, and attributes that could run one. */
const acting = (page: Page) =>
  page.evaluate(() => {
    const hits: string[] = (globalThis as { hits?: string[] }).hits ?? [];
    for (const element of document.querySelectorAll("*")) {
      for (const name of element.getAttributeNames()) {
        const value = element.getAttribute(name) ?? "";
        if (
          /^on/.test(name) ||
          (/^(href|src|action|formaction|data|xlink:href)$/.test(name) && /^\s*(java|vb)script:/i.test(value))
        )
          hits.push(element.outerHTML.slice(0, 300));
      }
    }
    return hits;
  });

async function listen(page: Page) {
  await page.addInitScript(() => {
    const hits: string[] = [];
    Object.assign(globalThis, { hits, hit: () => hits.push("something ran") });
  });
}

/** Creates a memory whose every text is a payload, with a person who comments on it and is invited to it. */
async function hostileMemory(ada: Person, bob: Person) {
  expect(hostileTexts.length).toBeGreaterThan(500);
  const names = packed(hostileTexts, 190);
  const name = (n: number) => names[n % names.length] ?? "";
  const [photo] = await photoPaths("kodak-1998.jpg");
  await ada.client.auth.updateUser({ data: { full_name: name(0) } });
  await ada.client
    .from("profiles")
    .update({ full_name: name(0) })
    .eq("id", ada.id)
    .throwOnError();
  await bob.client
    .from("profiles")
    .update({ full_name: name(1) })
    .eq("id", bob.id)
    .throwOnError();
  const { id } = await memoryWith(ada, photo ? [photo] : [], { person_name: name(2), description: name(3) });
  const photoWords = { caption: hostileTexts.join(" ").slice(0, 2000), alt_text: name(4) };
  const { data: media } = await ada.client
    .from("media")
    .update(photoWords)
    .eq("memory_id", id)
    .select("id")
    .throwOnError();
  const stories = packed(hostileTexts, 4000).map((body, n) => ({ memory_id: id, title: name(n), body }));
  for (const story of stories) await ada.client.from("stories").insert(story).throwOnError();
  const said = [...packed(hostileTexts, 4900), ...packed(naughtyStrings, 4900)];
  for (const body of said) await ada.client.from("comments").insert({ memory_id: id, body }).throwOnError();
  const entries = names
    .slice(0, 30)
    .map((title, n) => ({ memory_id: id, title, place: name(n + 1), note: name(n + 2), on_date: "1950" }));
  await ada.client.from("memory_entries").insert(entries).throwOnError();
  const album = await newRow(ada.client, "albums", { name: name(5) });
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: [id] }).throwOnError();
  const label = packed(hostileTexts, 95)[7] ?? "";
  const link = { memory_id: id, rights: "comment", label, moderated: false };
  const shared = await newRow(ada.client, "share_links", link, "share_id");
  const note = hostileTexts.join(" ").slice(0, 1000);
  await ada.client.from("invitations").insert({ memory_id: id, email: bob.email, role: "viewer", note }).throwOnError();
  return { id, share: String(shared.share_id), album: String(album.id), photo: String(media[0]?.id), said };
}

test("hostile text runs no script in any page, email or archive, and comments are stored unchanged", {
  tag: "@sample",
}, async ({ visit, person, server }) => {
  const [ada, bob] = [await person("Ada", { plan: "skies-memories" }), await person("Bob")];
  const { id, share, album, photo, said } = await hostileMemory(ada, bob);

  const places: [Person | undefined, string][] = [
    ...[
      `/memory/${id}`,
      `/memory/${id}?photo=${photo}`,
      `/memory/${id}/waiting`,
      "/",
      "/groups",
      `/groups/${album}`,
    ].map((path): [Person, string] => [ada, path]),
    ...["/dashboard", "/profile", "/notices"].map((path): [Person, string] => [ada, path]),
    ...["/", "/notices"].map((path): [Person, string] => [bob, path]),
    [undefined, `/shared/${share}`],
  ];
  for (const [as, path] of places) {
    const page = await visit({ as });
    await listen(page);
    await page.goto(path);
    await expect(page.getByRole("main")).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await acting(page), path).toEqual([]);
    await page.context().close();
  }

  // Harmless texts are kept unchanged, apart from white space.
  const { data: comments } = await ada.client.from("comments").select("body").eq("memory_id", id).throwOnError();
  expect(comments.map(({ body }) => body).sort()).toEqual([...said].sort());

  // Emails, as the sandbox's inbox shows them: the invitation contains names and a note.
  const inbox = await visit();
  await listen(inbox);
  const lettersTo = async ({ email }: Person) => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(email)}`);
    return ((await reply.json()) as { messages: { id: string }[] }).messages;
  };
  await expect.poll(async () => (await lettersTo(bob)).length, { timeout: 180_000 }).toBeGreaterThan(0);
  for (const { id: letter } of [...(await lettersTo(ada)), ...(await lettersTo(bob))]) {
    await inbox.goto(`/sandbox/inbox/${letter}/html`);
    expect(await acting(inbox), "a letter").toEqual([]);
  }

  // The archive's page, opened from a disk.
  let archive = "";
  await expect
    .poll(
      async () => {
        const download = { body: { memoryId: id, archive: true } };
        const { data, error } = await ada.client.functions.invoke("prepare-download", download);
        archive = data?.url ?? "";
        return error?.message ?? archive;
      },
      { timeout: 180_000 },
    )
    .toMatch(/^https?:/);
  const files = await unzip(new Uint8Array(await (await fetch(archive)).arrayBuffer()));
  for (const file of files) expect(file.path).not.toMatch(/(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[a-z]:/i);
  const page = await visit();
  await listen(page);
  for (const file of files.filter(({ path }) => path.endsWith(".html"))) {
    await page.setContent(file.bytes.toString("utf8"), { waitUntil: "load" });
    expect(await acting(page), file.path).toEqual([]);
  }
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { DownloadReady } from "../../shared/download.ts";
import { importZip } from "../support/account-zips.ts";
import { freshFolder } from "../support/backups.ts";
import { signUpWithPlan } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, url } = server;
let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(db, ada.userId, { plan: "skies-memories" });
  visitor = await visitorToken();
});

/** A token of the link, whose version changes with its settings. */
async function visitorToken(): Promise<string> {
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [ada.linkId]);
  return server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: rows[0]?.version } });
}

const FRONT = { r: 200, g: 40, b: 40 };
const BACK = { r: 40, g: 40, b: 200 };
const SECRET = "Epson FF-680W of Ada";

/** A scan in one colour, with a device in its EXIF data. No two have the same bytes. */
let scans = 0;
const scan = (background: typeof FRONT, width = 600) =>
  sharp({ create: { width: width + scans++, height: 400, channels: 3, background } })
    .withExif({ IFD0: { Model: SECRET } })
    .jpeg()
    .toBuffer();

interface Row {
  id: string;
  name: string;
  moderation: string;
  has_back: boolean;
  back_width: number | null;
  back_text: string;
  is_back: boolean | null;
  alt_text: string;
}
const rowsOf = async (fileName: string) =>
  (
    await db.query<Row>(
      `select m.id, m.object_name as name, m.moderation, m.has_back, m.back_width, m.back_text, m.is_back, m.alt_text
       from media m join media_details d on d.media_id = m.id where d.file_name = $1`,
      [fileName],
    )
  ).rows;
async function rowOf(fileName: string): Promise<Row> {
  const [row] = await rowsOf(fileName);
  if (!row) throw new Error(`There is no ${fileName}`);
  return row;
}

/** Stores a file as the owner, and waits until it was read. */
async function settled(fileName: string, bytes: Buffer): Promise<Row> {
  const bucket = server.client(ada.token).storage.from("media");
  const { error } = await bucket.upload(freshName(ada.memoryId, "bin"), bytes, { metadata: { filename: fileName } });
  if (error) throw error;
  const state = `select m.state from media m join media_details d on d.media_id = m.id where d.file_name = $1`;
  await vi.waitFor(
    async () => expect((await db.query<{ state: string }>(state, [fileName])).rows[0]?.state).toBe("ready"),
    { timeout: 180_000 },
  );
  return rowOf(fileName);
}

const fetched = async (token: string, path: string) => {
  const reply = await fetch(`${url}/storage/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
};
/** The colour of a picture, roughly. */
const colourOf = async (bytes: Buffer) => {
  const [r = 0, , b = 0] = (await sharp(bytes).stats()).channels.map(({ mean }) => mean);
  return r > b ? "front" : "back";
};

async function downloaded(token: string, request: object): Promise<Buffer> {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", request, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    const ready = body as unknown as DownloadReady;
    return Buffer.from(await (await fetch(ready.url)).arrayBuffer());
  }
}
const download = async (token: string, request: object) => unzip(await downloaded(token, request));
const names = (files: { path: string }[]) => files.map(({ path }) => path.replace("Nonna Rosa/", "")).sort();

test.each([
  ["the front first", ["Scan_1.jpg", "Scan_1_b.jpg"]],
  ["the back first", ["scan_2_B.JPG", "Scan_2.jpg"]],
])("Spec §3: files that a scanner named as front and back are one item: %s", async (_order, fileNames) => {
  for (const name of fileNames) await settled(name, await scan(/_b/i.test(name) ? BACK : FRONT));
  const [back, front] = fileNames.toSorted((a, b) => b.length - a.length).map(rowOf);
  expect(await front).toMatchObject({ moderation: "shown", has_back: true, back_width: expect.any(Number) });
  expect(await back).toMatchObject({ moderation: "attached", is_back: true });
  const { data } = await server
    .client(visitor)
    .from("media")
    .select("id")
    .in("id", [(await front)?.id, (await back)?.id]);
  expect(data).toEqual([{ id: (await front)?.id }]);
});

test("the enhanced front of a scanner stays a photo of its own, and so does a back without a front", async () => {
  for (const name of ["Scan_3_a.jpg", "Scan_3_b.jpg", "house_b.jpg"]) await settled(name, await scan(FRONT));
  const alone = { moderation: "shown", has_back: false };
  for (const name of ["Scan_3_a.jpg", "Scan_3_b.jpg", "house_b.jpg"]) expect(await rowOf(name)).toMatchObject(alone);
  await settled("Scan_3.jpg", await scan(FRONT));
  expect(await rowOf("Scan_3.jpg")).toMatchObject({ has_back: true });
  expect(await rowOf("Scan_3_a.jpg")).toMatchObject(alone);
});

describe("a print", () => {
  let front: Row;
  let back: Row;
  let frontBytes: Buffer;
  let backBytes: Buffer;
  beforeAll(async () => {
    frontBytes = await scan(FRONT);
    backBytes = await scan(BACK);
    await settled("Print.jpg", frontBytes);
    back = await settled("Print_b.jpg", backBytes);
    front = await rowOf("Print.jpg");
  });

  test("Spec §3: is turned over by everybody who sees its front, and shows them nothing private", async () => {
    for (const token of [ada.token, visitor]) {
      const side = (query: string) =>
        fetched(token, `render/image/authenticated/media/${front.name}?width=320${query}`);
      const [first, other] = [await side(""), await side("&side=back")];
      expect([first.status, other.status]).toEqual([200, 200]);
      expect([await colourOf(first.bytes), await colourOf(other.bytes)]).toEqual(["front", "back"]);
      expect(other.bytes.includes(SECRET)).toBe(false);
    }
    const { data } = await server.client(visitor).storage.from("media").createSignedUrl(front.name, 60);
    const render = data?.signedUrl.replace("/object/sign/", "/render/image/sign/");
    expect(await colourOf(Buffer.from(await (await fetch(`${render}&width=320&side=back`)).arrayBuffer()))).toBe(
      "back",
    );
    expect((await fetched(visitor, `object/media/${back.name}`)).status).toBe(404);
    expect((await fetched(ada.token, `object/media/${back.name}`)).bytes.equals(backBytes)).toBe(true);
  });

  test("without a back has no other side, and no photo has a third one", async () => {
    const alone = await rowOf("house_b.jpg");
    const side = (name: string, which: string) =>
      fetched(ada.token, `render/image/authenticated/media/${name}?width=320&side=${which}`);
    expect([(await side(alone.name, "back")).status, (await side(front.name, "edge")).status]).toEqual([404, 400]);
  });

  test("Spec §3: is both files byte for byte in its manager's ZIP files, and copies of both in others'", async () => {
    for (const archive of [false, true]) {
      const request = { mediaIds: [front.id], archive, language: "en" };
      const own = await download(ada.token, request);
      const folder = archive ? "photos/" : "";
      const file = (name: string) => own.find(({ path }) => path === `Nonna Rosa/${folder}${name}`)?.bytes;
      expect([file("Print.jpg")?.equals(frontBytes), file("Print_b.jpg")?.equals(backBytes)]).toEqual([true, true]);
      const shared = await download(visitor, request);
      expect(names(shared).filter((name) => /^(photos\/)?photo/.test(name))).toEqual([
        `${folder}photo.webp`,
        `${folder}photo_b.webp`,
      ]);
      const copy = shared.find(({ path }) => path.endsWith("photo_b.webp"))?.bytes ?? Buffer.alloc(0);
      expect([await colourOf(copy), shared.some(({ bytes }) => bytes.includes(SECRET))]).toEqual(["back", false]);
    }
  });

  test("Spec §3: has words on its back that are typed by managers, found, and told apart from those of the front", async () => {
    const client = server.client(ada.token);
    await client.from("media").update({ alt_text: "A wedding" }).eq("id", front.id).throwOnError();
    await client.from("media").update({ back_text: "Zia Carmela, Lucca 1951" }).eq("id", front.id).throwOnError();
    for (const token of [ada.token, visitor]) {
      const results = async (find: string) => {
        const { data } = await server.client(token).rpc("search", { find, memory: ada.memoryId });
        return data?.map(({ id, words, picture }: { id: string; words: string; picture: { on_back: boolean } }) => [
          id === front.id,
          words,
          picture.on_back,
        ]);
      };
      expect(await results("Carmela")).toEqual([[true, "Zia Carmela, Lucca 1951", true]]);
      expect(await results("Carmella")).toEqual([[true, "Zia Carmela, Lucca 1951", true]]);
      expect(await results("wedding")).toEqual([[true, "A wedding", false]]);
    }
    const other = await rowOf("house_b.jpg");
    const refused = await client.from("media").update({ back_text: "x" }).eq("id", other.id);
    expect(refused.error?.code).toBe("23514");
    const byVisitor = await server.client(visitor).from("media").update({ back_text: "" }).eq("id", front.id).select();
    expect(byVisitor.data ?? []).toEqual([]);
    const page = (await download(visitor, { mediaIds: [front.id], archive: true, language: "en" })).find(({ path }) =>
      path.endsWith("Rosa/index.html"),
    );
    expect(page?.bytes.toString()).toContain("Zia Carmela, Lucca 1951");
  });

  test("goes to the trash as one item, is restored as one, and is deleted with both files", async () => {
    await settled("Gone.jpg", await scan(FRONT));
    const gone = { back: await settled("Gone_b.jpg", await scan(BACK)), front: await rowOf("Gone.jpg") };
    const client = server.client(ada.token);
    const items = [{ kind: "media", id: gone.front.id }];
    const side = async () =>
      (await fetched(visitor, `render/image/authenticated/media/${gone.front.name}?width=320&side=back`)).status;
    for (const { name } of [gone.front, gone.back]) {
      await client.storage.from("media").remove([name]);
      expect([await side(), (await rowOf("Gone_b.jpg")).moderation]).toEqual([404, "deleted"]);
      await client.rpc("restore_deleted", { items }).throwOnError();
      expect([await side(), (await rowOf("Gone_b.jpg")).moderation]).toEqual([200, "attached"]);
    }
    await client.storage.from("media").remove([gone.front.name]);
    await client.rpc("delete_forever", { items }).throwOnError();
    expect(await rowsOf("Gone_b.jpg")).toEqual([]);
  });

  test("is moved to another memory with both files", async () => {
    await settled("Moved.jpg", await scan(FRONT));
    await settled("Moved_b.jpg", await scan(BACK));
    const { rows } = await db.query<{ id: string }>(
      "insert into memories (user_id, person_name) values ($1, 'Nonno Aldo') returning id",
      [ada.userId],
    );
    const { name } = await rowOf("Moved.jpg");
    const to = name.replace(ada.memoryId, rows[0]?.id ?? "");
    const { error } = await server.client(ada.token).storage.from("media").move(name, to);
    expect(error).toBeNull();
    expect(await rowOf("Moved.jpg")).toMatchObject({ name: to, moderation: "shown", has_back: true });
    expect((await rowOf("Moved_b.jpg")).name.split("/")[0]).toBe(rows[0]?.id);
    const other = await fetched(ada.token, `render/image/authenticated/media/${to}?width=320&side=back`);
    expect(await colourOf(other.bytes)).toBe("back");
  });

  test("is separated and stays so when its files are read again", async () => {
    await settled("Apart.jpg", await scan(FRONT));
    await settled("Apart_b.jpg", await scan(BACK));
    const { id } = await rowOf("Apart.jpg");
    await server
      .client(ada.token)
      .rpc("separate_sides", { fronts: [id] })
      .throwOnError();
    await db.query("update media set state = 'waiting' where id = $1", [id]);
    await vi.waitFor(
      async () =>
        expect((await db.query("select state from media where id = $1", [id])).rows).toEqual([{ state: "ready" }]),
      { timeout: 180_000 },
    );
    expect(await rowOf("Apart.jpg")).toMatchObject({ moderation: "shown", has_back: false });
    expect(await rowOf("Apart_b.jpg")).toMatchObject({ moderation: "shown", is_back: false });
  });

  test("Spec §3: is one item in an exported account and where that is imported, byte for byte, and a separated one is two", async () => {
    const client = server.client(ada.token);
    await client.from("media").update({ back_text: "Zia Carmela" }).eq("id", front.id).throwOnError();
    await settled("Two.jpg", await scan(FRONT));
    await settled("Two_b.jpg", await scan(BACK));
    await client.rpc("separate_sides", { fronts: [(await rowOf("Two.jpg")).id] }).throwOnError();

    const zip = await downloaded(ada.token, { account: true });
    const path = join(await freshFolder(), "account.zip");
    await writeFile(path, zip);
    const bea = await signUpWithPlan(server, "Bea");
    expect(await importZip(server, path, bea)).toMatchObject({ leftOut: [] });
    const imported = async (fileName: string) =>
      (
        await db.query<Row & { state: string }>(
          `select m.state, m.object_name as name, m.moderation, m.has_back, m.back_text, m.back_width, m.is_back
           from media m join media_details d on d.media_id = m.id join memories y on y.id = m.memory_id
           where d.file_name = $1 and y.user_id = (select id from auth.users where email = $2)`,
          [fileName, bea.email],
        )
      ).rows[0];
    const { width } = await sharp(backBytes).metadata();
    await vi.waitFor(
      async () =>
        expect(await imported("Print.jpg")).toMatchObject({
          state: "ready",
          has_back: true,
          back_width: width,
          back_text: "Zia Carmela",
        }),
      { timeout: 180_000 },
    );
    expect(await imported("Print_b.jpg")).toMatchObject({ moderation: "attached", is_back: true });
    await vi.waitFor(async () => expect(await imported("Two_b.jpg")).toMatchObject({ state: "ready" }), {
      timeout: 180_000,
    });
    expect(await imported("Two_b.jpg")).toMatchObject({ moderation: "shown", is_back: false });
    for (const [name, bytes] of [
      ["Print.jpg", frontBytes],
      ["Print_b.jpg", backBytes],
    ] as const) {
      const { data } = await bea.client.storage.from("media").download((await imported(name))?.name ?? "");
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    }
  });
});

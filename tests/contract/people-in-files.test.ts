import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { DownloadReady, WantedDownload } from "../../shared/download.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, post } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db } = server;
let ada: Owner;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
});

/** XMP with a region around Aunt May, on the stored picture. */
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
  xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
  xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"><mwg-rs:Regions rdf:parseType="Resource">
  <mwg-rs:AppliedToDimensions stDim:w="64" stDim:h="48" stDim:unit="pixel"/><mwg-rs:RegionList><rdf:Bag><rdf:li>
  <rdf:Description mwg-rs:Name="Aunt May" mwg-rs:Type="Face"><mwg-rs:Area stArea:x="0.25" stArea:y="0.4" stArea:w="0.1" stArea:h="0.1"
  stArea:unit="normalized"/></rdf:Description></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>`;

async function add(photo: Buffer, filename: string): Promise<string> {
  const name = freshName(ada.memoryId, "jpg");
  const { error } = await server
    .client(ada.token)
    .storage.from("media")
    .upload(name, photo, { metadata: { filename, people: ["Aunt May", " Rosa  Bruni", 7, ""] } });
  if (error) throw error;
  const row = async () =>
    (await db.query<{ id: string; state: string }>("select id, state from media where object_name = $1", [name]))
      .rows[0];
  await expect.poll(async () => (await row())?.state, { timeout: 180_000 }).toBe("ready");
  return String((await row())?.id);
}

/** The files of a download, by name. */
async function filesOf(token: unknown, download: WantedDownload): Promise<Map<string, Buffer>> {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", download, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    expect(status).toBe(200);
    const bytes = Buffer.from(await (await fetch((body as unknown as DownloadReady).url)).arrayBuffer());
    return new Map((await unzip(bytes)).map(({ path, bytes: content }) => [path.split("/").at(-1) ?? "", content]));
  }
}

test("names in a file are suggestions to those who may name, and a taken name leaves with every download", async () => {
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
    .withMetadata({ orientation: 6 })
    .withXmp(XMP)
    .jpeg()
    .toBuffer();
  const id = await add(photo, "IMG_1.jpg");
  const client = server.client(ada.token);
  const suggestions = async () =>
    (
      await client
        .from("media_name_suggestions")
        .select("name,x,y,settled")

        .order("name")
        .throwOnError()
    ).data;
  expect(await suggestions()).toEqual([
    { name: "Aunt May", x: 0.6, y: 0.25, settled: false },
    // Of the export that the file came with.
    { name: "Rosa Bruni", x: null, y: null, settled: false },
  ]);
  const visitor = (await open(server, ada.shareId)).body.token;
  const asVisitor = server.client(String(visitor));
  expect((await asVisitor.from("media_name_suggestions").select("name").throwOnError()).data).toEqual([]);
  // A name that nobody has taken leaves in no copy.
  const before = await filesOf(visitor, { memoryId: ada.memoryId });
  expect([...before.values()].some((bytes) => bytes.includes("Aunt May"))).toBe(false);

  await client
    .rpc("name_people", {
      memory_id: ada.memoryId,
      media_ids: [id],
      person_id: crypto.randomUUID(),
      name: "Aunt May",
      x: 0.6,
      y: 0.25,
    })
    .throwOnError();
  await client.from("media_name_suggestions").update({ settled: true }).eq("media_id", id).throwOnError();
  // The file is read again, as after a change of what is read from it.
  await db.query("update media set state = 'waiting' where id = $1", [id]);
  await db.query("select pg_notify('media_waiting', '')");
  await expect
    .poll(async () => (await db.query("select state from media where id = $1", [id])).rows, { timeout: 180_000 })
    .toEqual([{ state: "ready" }]);
  expect(await suggestions()).toMatchObject([
    { name: "Aunt May", settled: true },
    { name: "Rosa Bruni", settled: true },
  ]);
  expect((await asVisitor.from("media_names").select("x,y").throwOnError()).data).toEqual([{ x: 0.6, y: 0.25 }]);

  for (const token of [ada.token, visitor]) {
    for (const archive of [false, true]) {
      const files = await filesOf(token, { memoryId: ada.memoryId, archive });
      const [, sidecar] = [...files].find(([name]) => name.endsWith(".xmp")) ?? [];
      expect(sidecar?.toString("utf8")).toContain('mwg-rs:Name="Aunt May"');
      expect(sidecar?.toString("utf8")).toContain('stArea:x="0.6" stArea:y="0.25"');
      if (archive) expect(files.get("index.html")?.toString("utf8")).toContain("Aunt May");
    }
  }
  // Archives are for people.
  const asService = { authorization: `Bearer ${server.keys.secret}` };
  expect((await post(server, "prepare-download", { memoryId: ada.memoryId }, asService)).status).toBe(403);
}, 240_000);

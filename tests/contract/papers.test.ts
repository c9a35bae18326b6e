import { beforeAll, describe, expect, test, vi } from "vitest";
import type { DownloadReady } from "../../shared/download.ts";
import { importZip, zipOfAccount } from "../support/account-zips.ts";
import { exportedAccount, exportedMemory, exportedPhoto } from "../support/exported-account.ts";
import { HOSTILE_PAPERS, letter, lockedLetter, PAGE_COLOURS, SECRET_OF_PAPER, scan } from "../support/papers.ts";
import { signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, url } = server;
let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  visitor = await visitorToken();
});

/** A token of the link, whose version changes with its settings. */
async function visitorToken(): Promise<string> {
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [ada.linkId]);
  return server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: rows[0]?.version } });
}

const rowOf = async (name: string) =>
  (
    await db.query<{ id: string; state: string; pages: number | null; type: string; mime_type: string }>(
      `select m.id, m.type, m.state, m.pages, d.mime_type from media m join media_details d on d.media_id = m.id where object_name = $1`,
      [name],
    )
  ).rows[0];

/** Stores a file as the owner, and waits until it is shown or cannot be. */
async function settled(fileName: string, bytes: Buffer) {
  const name = freshName(ada.memoryId, "bin");
  const bucket = server.client(ada.token).storage.from("media");
  const { error } = await bucket.upload(name, bytes, { metadata: { filename: fileName } });
  if (error) throw error;
  await vi.waitFor(async () => expect((await rowOf(name))?.state).toMatch(/ready|broken/), { timeout: 180_000 });
  return { name, row: await rowOf(name) };
}

const fetched = async (token: string, path: string) => {
  const reply = await fetch(`${url}/storage/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};

async function download(token: string, request: object) {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", request, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    const ready = body as unknown as DownloadReady;
    return unzip(Buffer.from(await (await fetch(ready.url)).arrayBuffer()));
  }
}

describe.each([
  ["a PDF", "Lettera.pdf", letter, "application/pdf"],
  ["a scan of several pages", "Lettera.tif", scan, "image/tiff"],
])("%s", (_what, fileName, make, type) => {
  let bytes: Buffer;
  let name: string;
  let id: string;
  beforeAll(async () => {
    bytes = await make();
    const paper = await settled(fileName, bytes);
    expect(paper.row).toMatchObject({ type: "image", state: "ready", pages: 3, mime_type: type });
    name = paper.name;
    id = paper.row?.id ?? "";
  });

  test("is kept byte for byte for its managers", async () => {
    expect((await fetched(ada.token, `object/media/${name}`)).bytes.equals(bytes)).toBe(true);
    const [file] = await download(ada.token, { mediaIds: [id] });
    expect([file?.path, file?.bytes.equals(bytes)]).toEqual([`Nonna Rosa/${fileName}`, true]);
  });

  test("is pictures of its pages for others", async () => {
    for (const path of [
      `object/media/${name}`,
      `object/media/${name}?download=${fileName}`,
      ...PAGE_COLOURS.map((_, index) => `render/image/authenticated/media/${name}?width=1600&page=${index + 1}`),
    ]) {
      const { status, headers, bytes: got } = await fetched(visitor, path);
      expect([status, headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(got.includes(SECRET_OF_PAPER) || got.includes("%PDF")).toBe(false);
    }
    const saved = await fetched(visitor, `object/media/${name}?download=${fileName}`);
    expect(saved.headers.get("content-disposition")).toContain(".webp");
  });

  test("is every page in a download of others", async () => {
    const files = (await download(visitor, { mediaIds: [id] })).filter(({ path }) => path.endsWith(".webp"));
    expect(files.map(({ path }) => path)).toEqual([
      "Nonna Rosa/paper.webp",
      "Nonna Rosa/paper (2).webp",
      "Nonna Rosa/paper (3).webp",
    ]);
    expect(files.some(({ bytes: got }) => got.includes(SECRET_OF_PAPER))).toBe(false);
  });

  test.each([
    ["0", 400],
    ["1.5", 400],
    ["501", 400],
    ["all", 400],
    ["4", 422],
  ])("has no page %s", async (page, status) => {
    const reply = await fetched(ada.token, `render/image/authenticated/media/${name}?width=320&page=${page}`);
    expect(reply.status).toBe(status);
  });

  test("can be read by people who may only look, and not downloaded by them", async () => {
    await db.query("update share_links set allows_download = false where id = $1", [ada.linkId]);
    visitor = await visitorToken();
    expect((await fetched(visitor, `render/image/authenticated/media/${name}?width=1600&page=3`)).status).toBe(200);
    expect((await fetched(visitor, `object/media/${name}`)).status).toBe(403);
    await db.query("update share_links set allows_download = true where id = $1", [ada.linkId]);
    visitor = await visitorToken();
  });
});

test("an archive has the papers with their text: the original for its managers, pages for others", async () => {
  const { id } = (await settled("Ricetta.pdf", await letter())).row ?? {};
  await db.query("update media set alt_text = 'Tre uova e un limone' where id = $1", [id]);
  const archiveOf = async (token: string) => {
    const files = await download(token, { mediaIds: [id], archive: true, language: "en" });
    const page = files.find(({ path }) => path === "Nonna Rosa/index.html")?.bytes.toString() ?? "";
    return { page, papers: files.flatMap(({ path }) => (path.includes("/papers/") ? [path.split("/").at(-1)] : [])) };
  };
  const own = await archiveOf(ada.token);
  expect(own.papers).toEqual(["Ricetta.pdf"]);
  expect(own.page).toContain('href="papers/Ricetta.pdf"');
  const shared = await archiveOf(visitor);
  expect(shared.papers).toEqual(["paper.webp", "paper (2).webp", "paper (3).webp"]);
  expect(shared.page).toContain('href="papers/paper%20(3).webp"');
  for (const { page } of [own, shared]) expect(page).toContain("Tre uova e un limone");
});

test("the original of a PDF is saved, never opened, by whatever URL it is read", async () => {
  const { name } = await settled("a.pdf", await letter());
  const signed = await server.client(ada.token).storage.from("media").createSignedUrl(name, 60);
  const replies = [
    await fetch(signed.data?.signedUrl ?? ""),
    await fetch(`${url}/storage/v1/object/media/${name}`, { headers: { authorization: `Bearer ${ada.token}` } }),
  ];
  for (const { headers, body } of replies) {
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    await body?.cancel();
  }
});

test("a paper that needs a password is kept for its managers, and others do not see it", async () => {
  const bytes = await lockedLetter();
  const { name, row } = await settled("Testamento.pdf", bytes);
  expect(row).toMatchObject({ state: "broken", pages: 1 });
  expect((await fetched(ada.token, `object/media/${name}`)).bytes.equals(bytes)).toBe(true);
  expect((await fetched(ada.token, `render/image/authenticated/media/${name}?width=320`)).status).toBe(422);
  expect((await fetched(visitor, `object/media/${name}`)).status).toBe(404);
  expect((await fetched(visitor, `render/image/authenticated/media/${name}?width=320`)).status).toBe(404);
});

test.each(["drawings that each draw the next one ten times", "a first line and noise"])(
  "%s: the paper is kept, and a photo that comes after it is shown",
  async (hostile) => {
    const [paper, photo] = await Promise.all([
      settled("a.pdf", (await HOSTILE_PAPERS[hostile]?.()) ?? Buffer.alloc(0)),
      settled("b.jpg", await jpeg()),
    ]);
    expect([paper.row?.state, photo.row?.state]).toEqual(["broken", "ready"]);
  },
);

test("content decides, never the name", async () => {
  const { row } = await settled("Letter.pdf", await jpeg());
  expect(row).toMatchObject({ mime_type: "image/jpeg", pages: null });
  const { row: blank } = await settled("photo.jpg", Buffer.concat([Buffer.from("\r\n"), await letter()]));
  expect(blank).toMatchObject({ mime_type: "application/pdf", pages: 3 });
  const page = Buffer.from("<!doctype html><script>alert(1)</script>%PDF-1.7");
  const { error } = await server
    .client(ada.token)
    .storage.from("media")
    .upload(freshName(ada.memoryId, "pdf"), page, { contentType: "application/pdf" });
  expect(error?.message).toContain("not supported");
});

test("a paper of more than 100 MB is refused", async () => {
  const bytes = Buffer.alloc(100 * 1024 * 1024 + 1, "%PDF-1.7\n");
  const { error } = await server.client(ada.token).storage.from("media").upload(freshName(ada.memoryId, "pdf"), bytes);
  expect(error?.message).toContain("too large");
});

test("its text is typed by its managers only, and found by its words", async () => {
  const { row } = await settled("b.pdf", await letter());
  const text = `Cara Rosa, il raccolto è finito. ${"parola ".repeat(2700)}`;
  const client = server.client(ada.token);
  await client.from("media").update({ alt_text: text }).eq("id", row?.id).throwOnError();
  const hits = await client.rpc("search", { find: "raccolto", memory: ada.memoryId });
  expect(hits.data?.map(({ id }: { id: string }) => id)).toContain(row?.id);
  const tooLong = await client
    .from("media")
    .update({ alt_text: "a".repeat(20_001) })
    .eq("id", row?.id);
  expect(tooLong.error?.code).toBe("23514");
  const pages = await client.from("media").update({ pages: 2 }).eq("id", row?.id);
  expect(pages.error?.code).toBe("42501");
  const byVisitor = await server.client(visitor).from("media").update({ alt_text: "" }).eq("id", row?.id).select();
  expect(byVisitor.data ?? []).toEqual([]);
});

test("an imported paper has its pages, its text and its bytes", async () => {
  const person = await signUpWithPlan(server, "Bea");
  const bytes = await letter();
  const paper = exportedPhoto("files/Lettera.pdf", bytes);
  paper.alt_text = "Cara Rosa ".repeat(150);
  paper.is_cover = true;
  paper.file.metadata.mimetype = "application/pdf";
  const path = await zipOfAccount(exportedAccount(exportedMemory({ media: [paper] })), { "files/Lettera.pdf": bytes });
  expect(await importZip(server, path, person)).toMatchObject({ files: 1, leftOut: [] });
  const imported = async () =>
    (
      await db.query(
        `select m.object_name as name, m.state, m.pages, m.alt_text, m.is_cover from media m join media_details d on d.media_id = m.id
         join memories y on y.id = m.memory_id where y.user_id = (select id from auth.users where email = $1)`,
        [person.email],
      )
    ).rows[0];
  await vi.waitFor(
    async () =>
      expect(await imported()).toMatchObject({ state: "ready", pages: 3, alt_text: paper.alt_text, is_cover: true }),
    { timeout: 180_000 },
  );
});

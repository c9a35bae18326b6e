import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DownloadReady, WantedDownload } from "../../shared/download.ts";
import { importZip } from "../support/account-zips.ts";
import { freshFolder } from "../support/backups.ts";
import { openSoundEncoder } from "../support/encoded-sounds.ts";
import { openEncoder } from "../support/encoded-videos.ts";
import { COLUMNS, type Column, cellOf, FILE_KINDS, type FileKind } from "../support/kinds-of-files.ts";
import { sampled } from "../support/long-tests.ts";
import { signUpWithPlan } from "../support/people.ts";
import { metadataIn } from "../support/photo-with-metadata.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const encoders = { videos: await openEncoder(), sounds: await openSoundEncoder() };
afterAll(() => Promise.all([encoders.videos.close(), encoders.sounds.close()]));
const server = await testServer({}, undefined, { jobs: true, ffmpeg: encoders.videos.ffmpeg });
const { db, url } = server;
let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(db, ada.userId, { plan: "skies-memories" });
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
});

interface Row {
  id: string;
  type: string;
  state: string;
  width: number | null;
  height: number | null;
  duration: number | null;
  peaks: string | null;
  playback: string | null;
  visitor_copy: string | null;
  poster_name: string | null;
  mime_type: string;
  taken_at: string | null;
  taken_source: string | null;
}

const rowOf = async (name: string) => {
  const { rows } = await db.query<Row>(
    `select m.id, m.type, m.state, m.width, m.height, m.duration, m.peaks, m.playback, m.visitor_copy, m.poster_name,
       d.mime_type, d.taken_at, d.taken_source
     from media m join media_details d on d.media_id = m.id where object_name = $1`,
    [name],
  );
  if (!rows[0]) throw new Error("The file has no row");
  return rows[0];
};

/** Whether nothing more is made of a file. */
const isSettled = ({ type, state, playback, visitor_copy }: Row) =>
  state !== "waiting" &&
  (type === "image" || (/ready|unneeded|failed/.test(playback ?? "") && /ready|failed/.test(visitor_copy ?? "")));

async function stored(kind: FileKind) {
  const bytes = await kind.make(encoders);
  const name = freshName(ada.memoryId, "bin");
  const bucket = server.client(ada.token).storage.from("media");
  const { error } = await bucket.upload(name, bytes, { metadata: { filename: kind.file } });
  if (error) throw error;
  await vi.waitFor(async () => expect(isSettled(await rowOf(name))).toBe(true), { timeout: 180_000 });
  return { bytes, name, row: await rowOf(name) };
}

async function fetched(token: string, path: string) {
  const reply = await fetch(`${url}/storage/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect([path, reply.status, reply.status === 200 ? "" : bytes.toString()]).toEqual([path, 200, ""]);
  return bytes;
}

async function zipped(token: string, request: WantedDownload): Promise<Buffer> {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", request, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    expect([status, body]).toMatchObject([200, { state: "ready", leftOut: 0 }]);
    return Buffer.from(await (await fetch((body as unknown as DownloadReady).url)).arrayBuffer());
  }
}

/** The colours of the left upper and right lower corner. */
async function corners(picture: Buffer): Promise<number[]> {
  const { data, info } = await sharp(picture)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  return [...at(5, 5), ...at(info.width - 6, info.height - 6)];
}

/** Whether a file has a text, also as Windows writes it. */
const has = (bytes: Buffer, text: string) => bytes.includes(text) || bytes.includes(Buffer.from(text, "utf16le"));

/** Expects that no byte of a copy has what the original tells in private. */
async function expectClean({ display, secrets }: FileKind, copy: Buffer) {
  for (const secret of secrets) expect(has(copy, secret), secret).toBe(false);
  if (display === "picture") expect(await metadataIn(copy)).toEqual([]);
}

/** Moves the whole account by its export into that of another person. */
async function move() {
  const path = join(await freshFolder(), "account.zip");
  await writeFile(path, await zipped(ada.token, { account: true }));
  const bea = await signUpWithPlan(server, "Bea");
  expect(await importZip(server, path, bea)).toMatchObject({ leftOut: [] });
  return bea;
}

const KINDS = sampled(FILE_KINDS, 6);
/** What was stored, by kind. */
const storedFiles = new Map<FileKind, { bytes: Buffer; name: string }>();

describe.each(KINDS)("$name", (kind) => {
  let bytes: Buffer;
  let name: string;
  let row: Row;
  beforeAll(async () => {
    ({ bytes, name, row } = await stored(kind));
    storedFiles.set(kind, { bytes, name });
  });

  const copyOf = (width: number) => fetched(visitor, `render/image/authenticated/media/${name}?width=${width}`);
  /** What a visitor's player gets of a video or recording. */
  const played = () =>
    fetched(visitor, row.playback === "ready" ? `render/video/authenticated/media/${name}` : `object/media/${name}`);

  const CELLS: Record<Exclude<Column, "export">, () => Promise<void> | void> = {
    async kept() {
      expect(row).toMatchObject({ state: "ready", mime_type: kind.type });
      expect((await fetched(ada.token, `object/media/${name}`)).equals(bytes)).toBe(true);
    },
    async shown() {
      if (kind.display === "picture") {
        expect(row.type).toBe("image");
        for (const width of [320, 1600]) expect((await sharp(await copyOf(width)).stats()).isOpaque).toBe(true);
      } else if (kind.display === "video") {
        expect(row).toMatchObject({ type: "video", visitor_copy: "ready", poster_name: `${name}.jpg` });
        const copy = await played();
        expect((await encoders.videos.describe(copy)).pictures[0]?.[1]).toBeGreaterThan(20);
        expect(await encoders.videos.complaints(copy)).toBe("");
      } else {
        expect(row).toMatchObject({ type: "audio", visitor_copy: "ready" });
        expect(row.peaks).toMatch(/^[0-9a-z]{40,240}$/);
        expect(row.peaks).toMatch(/[a-z]/);
      }
    },
    dated() {
      const { by, at } = kind.dated;
      expect([row.taken_at, row.taken_source === "name" ? "name" : "file"]).toEqual([at, by]);
    },
    async upright() {
      expect(row).toMatchObject(kind.upright ?? {});
      const picture =
        kind.display === "video" ? await encoders.videos.firstPicture(await played()) : await copyOf(1600);
      expect(await sharp(picture).metadata()).toMatchObject(kind.upright ?? {});
    },
    async colour() {
      const pictures = [];
      if (kind.display === "picture") pictures.push(await copyOf(320), await copyOf(1600));
      else {
        pictures.push(await fetched(visitor, `object/posters/${name}.jpg`));
        pictures.push(await encoders.videos.firstPicture(await played()));
      }
      for (const picture of pictures) {
        const seen = await corners(picture);
        const differences = kind.colours?.map((value, index) => Math.abs(value - (seen[index] ?? 999))) ?? [999];
        expect(Math.max(...differences), `${seen}`).toBeLessThan(kind.display === "picture" ? 12 : 24);
      }
    },
    async sound() {
      const copy = await played();
      const { sounds, duration } = await encoders.videos.describe(copy);
      expect(sounds.map(([codec]) => codec)).toEqual([expect.stringMatching(/^(aac|opus)$/)]);
      expect(duration).toBeGreaterThan(1.8);
      expect(await encoders.videos.complaints(copy)).toBe("");
    },
    async "clean for others"() {
      for (const secret of kind.secrets) expect(has(bytes, secret), secret).toBe(true);
      await expectClean(kind, await fetched(visitor, `object/media/${name}`));
      if (kind.display === "picture") await expectClean(kind, await copyOf(1600));
      else await expectClean(kind, await played());
    },
    async archive() {
      const request = { mediaIds: [row.id], archive: true };
      const own = await unzip(await zipped(ada.token, request));
      expect(own.some((file) => file.bytes.equals(bytes))).toBe(true);
      const shared = await unzip(await zipped(visitor, request));
      const copies = shared.filter(({ path }) => /\/(photos|videos|recordings|papers)\//.test(path));
      expect(copies.length).toBeGreaterThan(0);
      for (const copy of copies)
        for (const secret of kind.secrets) expect(has(copy.bytes, secret), `${secret} in ${copy.path}`).toBe(false);
    },
  };

  const columns = COLUMNS.flatMap((column) => (column === "export" || cellOf(kind, column) === "–" ? [] : column));
  test.each(columns)("%s", (column) => CELLS[column]());
});

describe("export", () => {
  let bea: { token: string };
  beforeAll(async () => {
    bea = await move();
  });

  test.each(KINDS.map((kind) => [kind.name, kind] as const))("%s", async (_name, kind) => {
    const { bytes, name } = storedFiles.get(kind) ?? {};
    const { rows } = await db.query<{ name: string }>(
      "select name from storage.objects where bucket_id = 'media' and user_metadata ->> 'filename' = $1 and name <> $2",
      [kind.file, name],
    );
    expect(rows).toHaveLength(1);
    expect(bytes?.equals(await fetched(bea.token, `object/media/${rows[0]?.name}`))).toBe(true);
  });
});

test("the table in docs/media.md says of each kind what is tested", async () => {
  const page = await readFile(new URL("../../docs/media.md", import.meta.url), "utf8");
  const head = `| Kind | ${COLUMNS.join(" | ")} |`;
  const [, table = ""] = page.split(`${head}\n`);
  const rows = table
    .split("\n\n")[0]
    ?.split("\n")
    .slice(1)
    .map((line) => line.slice(2, -2).split(" | "));
  const expected = new Map<string, string[]>();
  for (const kind of FILE_KINDS) {
    const cells = COLUMNS.map((column) => cellOf(kind, column));
    // Kinds of one row have the same cells.
    expect([kind.name, expected.get(kind.row) ?? cells]).toEqual([kind.name, cells]);
    expected.set(kind.row, cells);
  }
  expect(rows).toEqual([...expected].map(([row, cells]) => [row, ...cells]));
});

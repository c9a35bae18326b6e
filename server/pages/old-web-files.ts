import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../database/database.ts";
import { accepts } from "./web-page.ts";

/** A file of an earlier build; `encoding` is that of its bytes. */
export interface OldWebFile {
  type: string;
  encoding: "br" | null;
  bytes: Buffer;
}

/** The media types of the files that pages load, and whether they are worth compressing. */
const TYPES: Record<string, { type: string; packs: boolean }> = {
  js: { type: "text/javascript; charset=utf-8", packs: true },
  css: { type: "text/css; charset=utf-8", packs: true },
  svg: { type: "image/svg+xml", packs: true },
  woff2: { type: "font/woff2", packs: false },
  webp: { type: "image/webp", packs: false },
};

const typeOf = (path: string) => TYPES[path.slice(path.lastIndexOf(".") + 1)];

const MISSING =
  "select p as path from unnest($1::text[]) p where not exists (select from private.web_files f where f.path = p)";
const KEEP = `insert into private.web_files (path, type, encoding, bytes) values ($1, $2, $3, $4) on conflict (path) do nothing`;
const MARK = `update private.web_files set left_at = case when path = any ($1) then null else now() end
  where (path = any ($1)) = (left_at is not null)`;
const FIND = "select type, encoding, bytes from private.web_files where path = $1";

const compress = promisify(brotliCompress);
const unpack = promisify(brotliDecompress);

/**
 * Stores the built files of this version, so that later versions and other processes can serve them to pages that are
 * still open. `folder` is that of the built web app; `paths` are relative to it. Files have a hash in their name, so an
 * existing one is the same. Ends early once `stopping` aborts; the next start continues.
 */
export async function keepWebFiles(
  db: Database,
  folder: string,
  paths: Iterable<string>,
  stopping: AbortSignal,
): Promise<void> {
  const built = [...paths].filter((path) => path.startsWith("assets/") && typeOf(path));
  const { rows } = await db.query<{ path: string }>(MISSING, [built]);
  for (const { path } of rows) {
    if (stopping.aborted) return;
    const { type, packs } = typeOf(path) ?? {};
    const plain = await readFile(join(folder, path));
    // The build compresses only large files.
    const bytes = packs
      ? await readFile(join(folder, `${path}.br`)).catch(() =>
          compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
        )
      : plain;
    await db.query(KEEP, [path, type, packs ? "br" : null, bytes]);
  }
  if (!stopping.aborted) await db.query(MARK, [built]);
}

/** Reads a file of an earlier build; undefined if no build of the last weeks had it. `path` is relative to the web app's folder. */
export async function findOldWebFile(db: Database, path: string): Promise<OldWebFile | undefined> {
  if (!typeOf(path)) return undefined;
  const { rows } = await db.query<OldWebFile>(FIND, [path]);
  return rows[0];
}

/** Sends a file of an earlier build, in an encoding that the browser accepts. */
export async function sendOldWebFile(
  { type, encoding, bytes }: OldWebFile,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.type(type).header("vary", "accept-encoding");
  if (encoding === null) return reply.send(bytes);
  if (!accepts(String(request.headers["accept-encoding"] ?? ""), encoding)) return reply.send(await unpack(bytes));
  return reply.header("content-encoding", encoding).send(bytes);
}

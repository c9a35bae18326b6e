import { type DownloadAnswer, PrepareDownload } from "../../shared/download.ts";
import type { Database } from "../database/database.ts";
import { nothingThere, readContents } from "../downloads/contents.ts";
import { layoutOf } from "../downloads/manifest.ts";
import { measureFiles } from "../downloads/measured-files.ts";
import { filesFor, leftOut, manifestOf } from "../downloads/plan.ts";
import { keepPrepared } from "../downloads/prepared.ts";
import type { Files } from "../files/files.ts";
import type { Identify } from "../supabase/callers.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

interface Deps {
  db: Database;
  files: Files;
  identify: Identify;
  /** 32 bytes that make tickets. */
  secret: Uint8Array;
  /** How long one call makes copies before it says how far it is, in milliseconds. */
  patience?: number;
}

const PATIENCE_MS = 4000;

/**
 * POST /functions/v1/prepare-download: makes a memory, an album or a selection ready as one ZIP file, and gives the
 * address at which its caller fetches it. 202 while copies are still being made: asking again goes on with them.
 */
export const prepareDownload =
  ({ db, files, identify, secret, patience = PATIENCE_MS }: Deps): ServerFunction =>
  async (request) => {
    const until = Date.now() + patience;
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    const wanted = await readBody(request, PrepareDownload);
    const contents = await readContents(db, caller, wanted);
    const needed = filesFor(contents, wanted);
    if (needed.length === 0 && !wanted.archive) throw nothingThere();

    const measured = await measureFiles({ db, files }, needed, until);
    const ready = needed.filter(measured.has).length;
    if (ready < needed.length) return answer(202, { state: "preparing", ready, files: needed.length });

    const manifest = manifestOf(contents, wanted, measured, new Date().toISOString().slice(0, 10));
    if (manifest.files === 0 && !wanted.archive) throw nothingThere();
    const ticket = await keepPrepared(db, secret, caller, manifest);
    return answer(200, {
      state: "ready",
      // Beside this very address, by whatever name the server is reached.
      url: new URL(`download?ticket=${ticket}`, request.url).href,
      name: manifest.name,
      size: layoutOf(manifest).size,
      files: manifest.files,
      leftOut: leftOut(contents, measured),
    });
  };

const answer = (status: number, body: DownloadAnswer) =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

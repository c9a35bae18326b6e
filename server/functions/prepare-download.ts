import type { z } from "zod";
import { type DownloadAnswer, PrepareDownload, type WantedContents } from "../../shared/download.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { accountManifest, readAccount } from "../downloads/account.ts";
import { nothingThere, readContents } from "../downloads/contents.ts";
import { withLocalTimes } from "../downloads/local-times.ts";
import { layoutOf, type Manifest } from "../downloads/manifest.ts";
import { type FileToMeasure, type Measured, measureFiles } from "../downloads/measured-files.ts";
import { filesFor, leftOut, manifestOf } from "../downloads/plan.ts";
import { keepPrepared } from "../downloads/prepared.ts";
import type { Files } from "../files/files.ts";
import { refuseEndedLink } from "../sharing/admission.ts";
import { endpoint } from "./endpoint.ts";

interface Deps {
  db: Database;
  files: Files;
  /** 32 bytes that derive tickets. */
  secret: Uint8Array;
  /** How long a call makes copies before it responds with the progress, in milliseconds. */
  maxWaitMs?: number;
}

const MAX_WAIT_MS = 4000;

/**
 * POST /functions/v1/prepare-download: prepares a memory, an album or a selection as one ZIP file, and returns its URL.
 * Responds 202 with the progress while copies are being made; the next call continues.
 */
export const prepareDownload = endpoint(
  { caller: "anyone", body: PrepareDownload },
  ({ db, files, secrets, caller, body, request }) =>
    prepareZip({ db, files, secret: secrets.downloads }, caller, body, request.url).catch(async (error: unknown) => {
      // Nothing is there for the token of a link that has ended meanwhile.
      if (error instanceof RequestError && error.code === "not_found") await refuseEndedLink(db, caller);
      throw error;
    }),
);

export async function prepareZip(
  { db, files, secret, maxWaitMs = MAX_WAIT_MS }: Deps,
  caller: Caller,
  request: z.output<typeof PrepareDownload>,
  requestUrl: string,
): Promise<Response> {
  const until = Date.now() + maxWaitMs;
  const plan = "account" in request ? await planAccount(db, caller) : await planContents(db, caller, request);
  const { needed, isWhole } = plan;
  if (needed.length === 0 && !isWhole) throw nothingThere();

  const measured = await measureFiles({ db, files }, needed, until);
  const ready = needed.filter(measured.has).length;
  if (ready < needed.length) return answer(202, { state: "preparing", ready, files: needed.length });

  const manifest = plan.manifest(measured);
  if (manifest.files === 0 && !isWhole) throw nothingThere();
  const ticket = await keepPrepared(db, secret, caller, manifest);
  return answer(200, {
    state: "ready",
    // Relative to the request's URL, so that it works under every host name of the server.
    url: new URL(`download?ticket=${ticket}`, requestUrl).href,
    name: manifest.name,
    size: layoutOf(manifest).size,
    files: manifest.files,
    leftOut: plan.leftOut(measured),
  });
}

/** A download before its files are measured. */
interface Plan {
  needed: FileToMeasure[];
  /** Whether an empty download is allowed. */
  isWhole: boolean;
  manifest(measured: Measured): Manifest;
  leftOut(measured: Measured): number;
}

async function planContents(db: Database, caller: Caller, selection: WantedContents): Promise<Plan> {
  const contents = withLocalTimes(await readContents(db, caller, selection), selection.timeZone);
  return {
    needed: filesFor(contents, selection),
    isWhole: selection.archive,
    manifest: (measured) => manifestOf(contents, selection, measured, today(selection.timeZone)),
    leftOut: (measured) => leftOut(contents, measured),
  };
}

const today = (timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone }).format(new Date());

async function planAccount(db: Database, caller: Caller): Promise<Plan> {
  const contents = await readAccount(db, caller);
  return {
    needed: contents.files.map(({ file }) => file),
    isWhole: true,
    manifest: (measured) => accountManifest(contents, measured),
    leftOut: () => 0,
  };
}

const answer = (status: number, body: DownloadAnswer) => Response.json(body, { status });

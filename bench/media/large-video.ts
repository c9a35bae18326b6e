import { execFile } from "node:child_process";
import { openAsBlob } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureFfmpeg } from "../../scripts/setup/ffmpeg.mjs";
import { interleave, judge, timed } from "../measure.ts";
import type { Stage } from "./stage.ts";

const ROUNDS = 11;
const BYTES = 2 * 1000 ** 3;
const CLIP_SECONDS = 8;

const run = promisify(execFile);

/** The time to the first byte of a 2 GB video: for a link's visitor compared with its owner. */
export async function benchLargeVideo({ product, owner, folder }: Stage) {
  const path = await makeVideo(folder);
  const name = owner.freshName("mp4");
  await send(`${product.url}/storage/v1/object/media/${name}`, path, owner.headers);
  await rm(path);
  await copied(owner);
  const original = await signed(owner.client.storage.from("media"), name);
  const visitor = await visitorOf(product.url, owner);
  const reply = await fetch(`${product.url}/storage/v1/object/sign/media/${name}`, {
    method: "POST",
    headers: { ...visitor, "content-type": "application/json" },
    body: JSON.stringify({ expiresIn: 3600 }),
  });
  const { signedURL } = (await reply.json()) as { signedURL: string };
  const copy = `${product.url}/storage/v1${signedURL}`;
  const ratio = await interleave(
    { floor: timed(() => firstByte(original)), product: timed(() => firstByte(copy)) },
    ROUNDS,
  );
  judge("a visitor's first byte of a 2 GB video", ratio, 0.5);
}

/** Makes a video of 2 GB by repeating a short one; resolves to its path. */
async function makeVideo(folder: string): Promise<string> {
  const ffmpeg = join(await ensureFfmpeg(), "ffmpeg");
  const [clip, film] = [join(folder, "clip.mp4"), join(folder, "film.mp4")];
  const source = `testsrc2=size=1280x720:rate=25:duration=${CLIP_SECONDS}`;
  const pictures = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "2", "-pix_fmt", "yuv420p"];
  const sound = ["-f", "lavfi", "-i", `sine=duration=${CLIP_SECONDS}`];
  await run(ffmpeg, ["-y", "-f", "lavfi", "-i", source, ...sound, ...pictures, "-c:a", "aac", clip]);
  const repeats = Math.floor(BYTES / (await stat(clip)).size);
  await run(ffmpeg, [
    "-y",
    "-stream_loop",
    `${repeats - 1}`,
    "-i",
    clip,
    "-c",
    "copy",
    "-movflags",
    "+faststart",
    film,
  ]);
  await rm(clip);
  return film;
}

async function send(url: string, path: string, headers: Record<string, string>): Promise<void> {
  const body = await openAsBlob(path);
  const reply = await fetch(url, { method: "POST", headers: { ...headers, "content-type": "video/mp4" }, body });
  if (!reply.ok) throw new Error(`The video was not stored: ${reply.status} ${await reply.text()}`);
}

/** Waits until visitors can play the stored video. */
async function copied({ client, memoryId }: Stage["owner"]): Promise<void> {
  for (;;) {
    const { data } = await client.from("media").select("visitor_copy").eq("memory_id", memoryId).throwOnError();
    if (data.every(({ visitor_copy }) => visitor_copy === "ready")) return;
    if (data.some(({ visitor_copy }) => visitor_copy === "failed")) throw new Error("The video could not be copied");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function signed(bucket: ReturnType<Stage["owner"]["client"]["storage"]["from"]>, name: string): Promise<string> {
  const { data, error } = await bucket.createSignedUrl(name, 3600);
  if (error) throw error;
  return data.signedUrl;
}

/** The headers of a visitor of the owner's memory. */
async function visitorOf(url: string, { client, memoryId, publishableKey }: Stage["owner"]) {
  const { data } = await client.from("memories").select("share_id").eq("id", memoryId).single().throwOnError();
  await client.from("memories").update({ draft: false }).eq("id", memoryId).throwOnError();
  await client.from("share_links").update({ shared_at: "now" }).eq("memory_id", memoryId).throwOnError();
  const reply = await fetch(`${url}/functions/v1/open-share`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ shareId: data.share_id }),
  });
  const { token } = (await reply.json()) as { token: string };
  return { apikey: publishableKey, authorization: `Bearer ${token}` };
}

/** Requests a video like a player, and aborts after the first bytes. */
async function firstByte(url: string): Promise<void> {
  const reply = await fetch(url, { headers: { range: "bytes=0-" } });
  const reader = reply.body?.getReader();
  const first = await reader?.read();
  if (reply.status !== 206 || !first?.value?.length) throw new Error(`No video: ${reply.status}`);
  await reader?.cancel();
}

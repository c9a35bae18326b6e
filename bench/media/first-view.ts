import { join } from "node:path";
import sharp from "sharp";
import { median } from "../measure.ts";
import { cpuOf } from "../processes.ts";
import type { Call } from "./client-process.ts";
import { type Stage, storePhotos } from "./stage.ts";

const ROUNDS = 5;
const PHOTOS = 2000;
/** The number of photos on a large screen. */
const SEEN = 40;
/** The columns that the gallery reads (PHOTO_COLUMNS in web/data/photo.ts). */
const COLUMNS =
  "id,type,size,object_name,width,height,duration,taken_at,time_order,created_at,colour,state,is_cover,caption,alt_text,position,poster_name,details:media_details(user_id,file_name,taken_at,taken_source)";

/** The requests of opening a memory of two thousand photos: its rows, then URLs and pictures of the first ones. */
export async function benchFirstView(stage: Stage) {
  const { product, client, owner, photos, folder } = stage;
  const small = await Promise.all(
    photos.map(async (photo, n) => {
      const path = join(folder, `small-${n}.jpg`);
      await sharp(photo).resize(800).jpeg().toFile(path);
      return path;
    }),
  );
  await storePhotos(
    stage,
    Array.from({ length: PHOTOS }, (_, n) => small[n % small.length] ?? ""),
  );
  const seen = await owner.client
    .from("media")
    .select("id,object_name")
    .eq("memory_id", owner.memoryId)
    .order("created_at")
    .order("id")
    .limit(SEEN)
    .throwOnError();
  const names: string[] = seen.data.map(({ object_name }) => object_name);
  const signed = await owner.client.storage.from("media").createSignedUrls(names, 3600);

  const rest = `${product.url}/rest/v1`;
  const rows = `${rest}/media?select=${COLUMNS}&memory_id=eq.${owner.memoryId}&moderation=eq.shown&order=created_at,id`;
  const json = { ...owner.headers, "content-type": "application/json", "accept-encoding": "gzip" };
  const calls: Call[] = [
    { method: "GET", url: `${rest}/memories?select=*&id=eq.${owner.memoryId}`, headers: json },
    { method: "GET", url: `${rows}&limit=1000`, headers: { ...json, prefer: "count=exact" } },
    { method: "GET", url: `${rows}&limit=1000&offset=1000`, headers: json },
    {
      method: "POST",
      url: `${product.url}/storage/v1/object/sign/media`,
      headers: json,
      text: JSON.stringify({ expiresIn: 3600, paths: names }),
    },
    {
      method: "GET",
      url: `${rest}/media?select=id,placeholder&id=in.(${seen.data.map(({ id }) => id)})`,
      headers: json,
    },
    ...(signed.data ?? []).map(({ signedUrl }) => ({
      method: "GET",
      url: `${signedUrl?.replace("/object/sign/", "/render/image/sign/")}&width=320`,
      headers: { accept: "image/avif,image/webp,*/*" },
    })),
  ];

  const rounds: { ms: number; cpu: number }[] = [];
  let bytes = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = (await cpuOf(product)) ?? 0;
    const outcome = await client.measure({ calls, clients: 6 });
    bytes = outcome.bytes;
    if (round > 0) rounds.push({ ms: outcome.ms, cpu: ((await cpuOf(product)) ?? 0) - before });
  }
  const middle = (of: (round: { ms: number; cpu: number }) => number) => median(rounds.map(of)).toFixed(0);
  console.log(
    `  first view of ${PHOTOS} photos: ${calls.length} requests, ${(bytes / 1024).toFixed(0)} KB, ${middle(({ cpu }) => cpu)} ms of server CPU, ${middle(({ ms }) => ms)} ms`,
  );
}

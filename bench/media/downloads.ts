import { interleave, judge } from "../measure.ts";
import { type Stage, storePhotos } from "./stage.ts";

const ROUNDS = 7;
const CLIENTS = 8;

/** Private originals and ranges of them, compared with public file streams. */
export async function benchDownloads(stage: Stage) {
  const { floor, client, owner, photos } = stage;
  const names = await storePhotos(stage);
  const { data } = await owner.client.storage.from("media").createSignedUrls(names, 3600);
  const signed = (data ?? []).map(({ signedUrl }) => signedUrl ?? "");

  const compare = async (title: string, requests: number, least: number, range?: string) => {
    const headers: Record<string, string> = range ? { range } : {};
    const calls = (urls: string[]) =>
      Array.from({ length: requests }, (_, n) => ({ method: "GET", url: urls[n % urls.length] ?? "", headers }));
    const ratio = await interleave(
      {
        floor: () => client.run({ calls: calls(photos.map((file) => `${floor.url}/?file=${file}`)), clients: CLIENTS }),
        product: () => client.run({ calls: calls(signed), clients: CLIENTS }),
      },
      ROUNDS,
    );
    judge(title, ratio, least);
  };
  await compare("private downloads of 3 MB", 200, 0.6);
  await compare("ranges of 1 MiB", 400, 0.6, "bytes=1000000-2048575");
  await compare("ranges of 64 KiB", 1500, 0.3, "bytes=1000000-1065535");
}

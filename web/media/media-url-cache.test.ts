import { expect, test, vi } from "vitest";
import type { PhotoRef } from "../data/photo.ts";
import { MediaUrlCache } from "./media-url-cache.ts";

const photo = (id: string): PhotoRef => ({ id, object_name: `m/${id}.jpg` });
const photos = (count: number) => Array.from({ length: count }, (_, index) => photo(`p${index}`));

function setUp() {
  let now = 0;
  let round = 0;
  const sign = vi.fn(async (_bucket: string, names: string[]) => {
    round++;
    return Object.fromEntries(names.map((name) => [name, `https://here/${name}?token=${round}`]));
  });
  const placeholders = vi.fn(async (ids: string[]) => Object.fromEntries(ids.map((id) => [id, `data:${id}`])));
  const cache = new MediaUrlCache({ sign, placeholders, now: () => now, together: 0 });
  const later = (ms: number) => {
    now += ms;
  };
  return { cache, sign, placeholders, later };
}

const url = (cache: MediaUrlCache, id: string) => expect.poll(() => cache.get(id).url).toBeDefined();

test("photos that become visible together are requested together, once", async () => {
  const { cache, sign, placeholders } = setUp();
  cache.request([photo("a"), photo("b")]);
  cache.request([photo("b"), photo("c")]);
  await url(cache, "c");
  cache.request([photo("a")]);
  expect(sign).toHaveBeenCalledExactlyOnceWith("media", ["m/a.jpg", "m/b.jpg", "m/c.jpg"]);
  expect(placeholders).toHaveBeenCalledExactlyOnceWith(["a", "b", "c"]);
  expect(cache.get("a")).toEqual({
    url: "https://here/m/a.jpg?token=1",
    picture: "https://here/m/a.jpg?token=1",
    placeholder: "data:a",
  });
});

test("many URLs are requested in batches that fit one request", async () => {
  const { cache, sign } = setUp();
  cache.request(photos(250));
  await url(cache, "p249");
  expect(sign.mock.calls.map(([, names]) => names.length)).toEqual([100, 100, 50]);
});

test("a photo that was scrolled past is not requested", async () => {
  const { cache, sign } = setUp();
  cache.request([photo("a"), photo("b")]);
  cache.release([photo("a")]);
  await url(cache, "b");
  expect(sign).toHaveBeenCalledExactlyOnceWith("media", ["m/b.jpg"]);
});

test("a URL is renewed before it expires, without requesting the placeholder again", async () => {
  const { cache, placeholders, later } = setUp();
  cache.request([photo("a")]);
  await url(cache, "a");
  later(41 * 60_000);
  cache.request([photo("a")]);
  await expect.poll(() => cache.get("a").url).toContain("token=2");
  expect(cache.get("a").placeholder).toBe("data:a");
  expect(placeholders).toHaveBeenCalledOnce();
});

test("a photo that is being requested is not requested again, and who asks for it waits for the same answer", async () => {
  const { cache, sign, placeholders } = setUp();
  await Promise.all([cache.ask([photo("a")]), cache.ask([photo("a"), photo("b")])]);
  expect(placeholders.mock.calls.flat(2)).toEqual(["a", "b"]);
  expect(sign.mock.calls.flatMap(([, names]) => names)).toHaveLength(2);
  expect(cache.get("a").url).toBeDefined();
});

test("a placeholder that could not be loaded is not requested again with a refused picture", async () => {
  const { cache, placeholders } = setUp();
  placeholders.mockRejectedValueOnce(new Error("Failed to load photos"));
  cache.request([photo("a")]);
  await url(cache, "a");
  cache.renew();
  cache.request([photo("a")]);
  await expect.poll(() => cache.get("a").url).toContain("token=2");
  expect(placeholders).toHaveBeenCalledOnce();
});

test("a refused URL is renewed once and not repeatedly", async () => {
  const { cache, sign, later } = setUp();
  cache.request([photo("a")]);
  await url(cache, "a");
  cache.renew();
  cache.request([photo("a")]);
  await expect.poll(() => cache.get("a").url).toContain("token=2");
  cache.renew();
  cache.request([photo("a")]);
  later(11_000);
  cache.renew();
  cache.request([photo("a")]);
  await expect.poll(() => cache.get("a").url).toContain("token=3");
  expect(sign).toHaveBeenCalledTimes(3);
});

test("a failed request is repeated when the photo is needed again, after a pause", async () => {
  const { cache, sign, later } = setUp();
  sign.mockRejectedValueOnce(new Error("500"));
  // As components do, which ask at each change for what they show.
  cache.subscribe(() => cache.request([photo("a")]));
  await cache.ask([photo("a")]);
  expect(cache.get("a")).toEqual({});
  cache.request([photo("a"), photo("b")]);
  await url(cache, "b");
  expect(sign.mock.calls.map(([, names]) => names)).toEqual([["m/a.jpg"], ["m/b.jpg"]]);
  later(11_000);
  cache.request([photo("a")]);
  await url(cache, "a");
});

test("a video is shown by its poster, and has no picture without one", async () => {
  const { cache } = setUp();
  cache.request([
    { ...photo("a"), type: "video", poster_name: "m/a.jpg.jpg" },
    { ...photo("b"), type: "video", poster_name: null },
  ]);
  await url(cache, "b");
  expect(cache.get("a").picture).toContain("/m/a.jpg.jpg");
  expect(cache.get("b").picture).toBeUndefined();
});

import { expect, test, vi } from "vitest";
import { NearMedia, type Wanted } from "./near-media.ts";

const photo = (id: string): Wanted => ({ id, object_name: `m/${id}.jpg` });
const photos = (count: number) => Array.from({ length: count }, (_, index) => photo(`p${index}`));

function setUp() {
  let now = 0;
  let round = 0;
  const sign = vi.fn(async (_bucket: string, names: string[]) => {
    round++;
    return Object.fromEntries(names.map((name) => [name, `https://here/${name}?token=${round}`]));
  });
  const placeholders = vi.fn(async (ids: string[]) => Object.fromEntries(ids.map((id) => [id, `data:${id}`])));
  const near = new NearMedia({ sign, placeholders, now: () => now, together: 0 });
  const later = (ms: number) => {
    now += ms;
  };
  return { near, sign, placeholders, later };
}

const url = (near: NearMedia, id: string) => expect.poll(() => near.get(id).url).toBeDefined();

test("what comes near together is asked for together, once", async () => {
  const { near, sign, placeholders } = setUp();
  near.want([photo("a"), photo("b")]);
  near.want([photo("b"), photo("c")]);
  await url(near, "c");
  near.want([photo("a")]);
  expect(sign).toHaveBeenCalledExactlyOnceWith("media", ["m/a.jpg", "m/b.jpg", "m/c.jpg"]);
  expect(placeholders).toHaveBeenCalledExactlyOnceWith(["a", "b", "c"]);
  expect(near.get("a")).toEqual({
    url: "https://here/m/a.jpg?token=1",
    picture: "https://here/m/a.jpg?token=1",
    placeholder: "data:a",
  });
});

test("many are asked for in batches that one request can hold", async () => {
  const { near, sign } = setUp();
  near.want(photos(250));
  await url(near, "p249");
  expect(sign.mock.calls.map(([, names]) => names.length)).toEqual([100, 100, 50]);
});

test("what has flown past is not asked for", async () => {
  const { near, sign } = setUp();
  near.want([photo("a"), photo("b")]);
  near.pass([photo("a")]);
  await url(near, "b");
  expect(sign).toHaveBeenCalledExactlyOnceWith("media", ["m/b.jpg"]);
});

test("an address is renewed before it ends, its blur is not asked for again", async () => {
  const { near, placeholders, later } = setUp();
  near.want([photo("a")]);
  await url(near, "a");
  later(41 * 60_000);
  near.want([photo("a")]);
  await expect.poll(() => near.get("a").url).toContain("token=2");
  expect(near.get("a").placeholder).toBe("data:a");
  expect(placeholders).toHaveBeenCalledOnce();
});

test("a refused address is renewed, and not over and over", async () => {
  const { near, sign, later } = setUp();
  near.want([photo("a")]);
  await url(near, "a");
  near.renew();
  near.want([photo("a")]);
  await expect.poll(() => near.get("a").url).toContain("token=2");
  near.renew();
  near.want([photo("a")]);
  later(11_000);
  near.renew();
  near.want([photo("a")]);
  await expect.poll(() => near.get("a").url).toContain("token=3");
  expect(sign).toHaveBeenCalledTimes(3);
});

test("what could not be asked for is asked for when it is wanted again", async () => {
  const { near, sign } = setUp();
  sign.mockRejectedValueOnce(new Error("no network"));
  const told = vi.fn();
  near.subscribe(told);
  near.want([photo("a")]);
  await expect.poll(() => told).toHaveBeenCalled();
  expect(near.get("a")).toEqual({});
  near.want([photo("a")]);
  await url(near, "a");
});

test("a video is stood for by its poster, and by nothing while it has none", async () => {
  const { near } = setUp();
  near.want([
    { ...photo("a"), type: "video", poster_name: "m/a.jpg.jpg" },
    { ...photo("b"), type: "video", poster_name: null },
  ]);
  await url(near, "b");
  expect(near.get("a").picture).toContain("/m/a.jpg.jpg");
  expect(near.get("b").picture).toBeUndefined();
});

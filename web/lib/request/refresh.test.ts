import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { changeData, refresh } from "./refresh.ts";

test("a change during the first read of a list is shown, although the read may not have seen it", async () => {
  const cache = new QueryClient();
  let answer = (_list: string) => {};
  let reads = 0;
  const queryFn = () => (++reads === 1 ? new Promise<string>((done) => (answer = done)) : "a photo");
  const observer = new QueryObserver(cache, { queryKey: ["trash"], queryFn });
  const stop = observer.subscribe(() => {});
  expect(reads).toBe(1);
  const refreshed = refresh(cache, ["trash"]);
  answer("empty");
  await refreshed;
  expect(reads).toBe(2);
  expect(observer.getCurrentResult().data).toBe("a photo");
  stop();
});

test("a list that nobody shows is read again when it is next shown, also if its first read was running", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  let answer = (_list: string) => {};
  const first = cache.fetchQuery({
    queryKey: ["trash"],
    queryFn: () => new Promise<string>((done) => (answer = done)),
  });
  const refreshed = refresh(cache, ["trash"]);
  answer("empty");
  await refreshed;
  expect(await first).toBe("empty");
  expect(await cache.fetchQuery({ queryKey: ["trash"], queryFn: async () => "a photo" })).toBe("a photo");
});

test.each(["first", "later"])(
  "a change that is sent during a %s read stays, although the read is older",
  async (which) => {
    const cache = new QueryClient();
    const stored = ["a photo"];
    let answer = () => {};
    const queryFn = async () => {
      const read = [...stored];
      await new Promise<void>((done) => (answer = done));
      return read;
    };
    const observer = new QueryObserver(cache, { queryKey: ["photos"], queryFn });
    const stop = observer.subscribe(() => {});
    const running = () => observer.getCurrentResult().isFetching;
    if (which === "later") {
      answer();
      await expect.poll(running).toBe(false);
      void observer.refetch();
    }
    stored.push("another");
    changeData<string[]>(cache, ["photos"], (photos) => [...photos, "another"]);
    await expect
      .poll(() => {
        answer();
        return running() ? [] : observer.getCurrentResult().data;
      })
      .toEqual(["a photo", "another"]);
    stop();
  },
);

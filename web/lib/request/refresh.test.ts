import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { changeData, leavingFailures, refresh } from "./refresh.ts";

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

test("the first join of a page's channel repeats neither a read that has failed nor one that fails meanwhile", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  let reads = 0;
  let fail = () => {};
  const queryFn = () => new Promise<string>((_done, failed) => (fail = () => failed(new Error(String(++reads)))));
  const observer = new QueryObserver(cache, { queryKey: ["orders"], queryFn });
  const stop = observer.subscribe(() => {});
  let meanwhile: Promise<unknown> = Promise.resolve();
  leavingFailures(() => (meanwhile = refresh(cache, ["orders"])));
  fail();
  await meanwhile;
  leavingFailures(() => (meanwhile = refresh(cache, ["orders"])));
  await meanwhile;
  expect([reads, observer.getCurrentResult().isFetching]).toEqual([1, false]);

  // A channel that was lost and joined again reads it anew.
  const again = refresh(cache, ["orders"]);
  fail();
  await again;
  expect(reads).toBe(2);
  stop();
});

import { MutationObserver, notifyManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { optimisticUpdate } from "./optimistic-update.ts";

type Settings = Record<string, string>;

const KEY = ["settings"];

/** Requests to a server that the test answers; undefined is an error. */
function questions<Answer>() {
  const requests: ((answer: Answer | undefined) => void)[] = [];
  const ask = () =>
    new Promise<Answer>((resolve, reject) =>
      requests.push((answer) => (answer === undefined ? reject(new Error("no")) : resolve(answer))),
    );
  /** Answers the request of this index when it is sent, and lets the answer arrive. */
  const answer = async (place: number, answer: Answer | undefined) => {
    await expect.poll(() => requests.length).toBeGreaterThan(place);
    requests[place]?.(answer);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { asked: requests, ask, answer };
}

/** A screen with settings, and a server that the test answers for. */
function screen() {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  cache.mount();
  const reads = questions<Settings>();
  const writes = questions<"kept">();
  const seen: (Settings | undefined)[] = [];
  const observer = new QueryObserver(cache, { queryKey: KEY, queryFn: reads.ask });
  // Like React: notified later, it reads the state at that time.
  const look = notifyManager.batchCalls(() => void seen.push(observer.getCurrentResult().data));
  onTestFinished(observer.subscribe(look));
  onTestFinished(() => cache.unmount());
  const change = (changes: Settings, readAgain?: (unsure: boolean) => unknown) => {
    const merged = (current: Settings, wished: Settings) => ({ ...current, ...wished });
    const update = optimisticUpdate(cache, { queryKey: KEY, change: merged, readAgain });
    new MutationObserver(cache, { mutationFn: writes.ask, ...update }).mutate(changes).catch(() => {});
  };
  const data = () => cache.getQueryData<Settings>(KEY);
  const idle = () => expect.poll(() => [cache.isFetching(), cache.isMutating()]).toEqual([0, 0]);
  return { cache, reads, writes, change, shown: data, seen, idle };
}

/** A screen after its first read. */
async function screenWith(settings: Settings) {
  const made = screen();
  await made.reads.answer(0, settings);
  await made.idle();
  return made;
}

test("a change is shown at once, and a read that started before it does not revert it", async () => {
  const { cache, change, shown: data, seen, reads, writes, idle } = await screenWith({ mail: "daily" });
  void cache.invalidateQueries({ queryKey: KEY });
  await expect.poll(() => reads.asked).toHaveLength(2);
  seen.length = 0;
  change({ mail: "never" });
  expect(data()).toEqual({ mail: "never" });
  await reads.answer(1, { mail: "daily", zone: "Rome" });
  expect(data()).toEqual({ mail: "never", zone: "Rome" });
  // A read that begins and ends before the change is answered, e.g. after a change by somebody else.
  void cache.invalidateQueries({ queryKey: KEY });
  await reads.answer(2, { mail: "daily", zone: "London" });
  expect(data()).toEqual({ mail: "never", zone: "London" });
  // Another read is running when the change is answered, and may be older than the answer.
  void cache.invalidateQueries({ queryKey: KEY });
  await writes.answer(0, "kept");
  await reads.answer(3, { mail: "daily", zone: "London" });
  await reads.answer(4, { mail: "never", zone: "London" });
  await idle();
  expect(new Set(seen.map((settings) => settings?.mail))).toEqual(new Set(["never"]));
  expect(seen.at(-1)).toEqual({ mail: "never", zone: "London" });
});

test("a first read continues, and its result includes the change", async () => {
  const { change, shown: data, reads } = screen();
  change({ mail: "never" });
  expect(data()).toBeUndefined();
  await reads.answer(0, { mail: "daily", zone: "Rome" });
  expect(data()).toEqual({ mail: "never", zone: "Rome" });
});

test("an event during the change is kept beside it, and does not revert it", async () => {
  const { cache, change, shown: data, writes, reads, idle } = await screenWith({ mail: "daily", zone: "Rome" });
  cache.setQueryData(["another"], { mail: "daily" });
  change({ mail: "never" });
  cache.setQueryData(KEY, { mail: "daily", zone: "Oslo" });
  expect(data()).toEqual({ mail: "never", zone: "Oslo" });
  cache.setQueryData<Settings>(KEY, (current) => ({ ...current, zone: "London" }));
  expect(data()).toEqual({ mail: "never", zone: "London" });
  cache.setQueryData<Settings>(["another"], (current) => ({ ...current, zone: "London" }));
  expect(cache.getQueryData(["another"])).toEqual({ mail: "daily", zone: "London" });
  await writes.answer(0, undefined);
  expect(data()?.mail).toBe("daily");
  await reads.answer(1, { mail: "daily", zone: "London" });
  await idle();
});

test("only the refused one of several changes is reverted, in any order of the responses", async () => {
  const {
    change,
    shown: data,
    writes,
    reads,
    idle,
  } = await screenWith({ mail: "daily", zone: "Rome", language: "en" });
  change({ mail: "never" });
  change({ zone: "London" });
  change({ mail: "weekly", language: "it" });
  await writes.answer(0, undefined);
  expect(data()).toEqual({ mail: "weekly", zone: "London", language: "it" });
  await writes.answer(2, undefined);
  expect(data()).toEqual({ mail: "daily", zone: "London", language: "en" });
  await writes.answer(1, undefined);
  expect(data()).toEqual({ mail: "daily", zone: "Rome", language: "en" });
  await reads.answer(1, { mail: "daily", zone: "Rome", language: "en" });
  await idle();
});

test("the data are read again once, after the last of several changes is answered", async () => {
  const { cache, change, shown: data, writes, reads, idle } = await screenWith({ cards: "1" });
  for (const cards of ["2", "3"]) change({ cards });
  await writes.answer(0, "kept");
  expect(reads.asked).toHaveLength(1);
  change({ cards: "4" });
  await writes.answer(1, "kept");
  await writes.answer(2, "kept");
  expect(reads.asked).toHaveLength(2);
  await reads.answer(1, { cards: "4" });
  await idle();
  expect([data(), reads.asked.length]).toEqual([{ cards: "4" }, 2]);
  expect(cache.getQueryCache().hasListeners()).toBe(false);
});

test("a custom refresh is told whether the shown data are confirmed", async () => {
  const { cache, change, writes, reads, idle } = await screenWith({ cards: "1" });
  const calls: boolean[] = [];
  const readAgain = (unsure: boolean) => calls.push(unsure);
  change({ cards: "2" }, readAgain);
  await writes.answer(0, "kept");
  await idle();
  change({ cards: "3" }, readAgain);
  change({ cards: "4" }, readAgain);
  await writes.answer(1, undefined);
  await writes.answer(2, "kept");
  await idle();
  change({ cards: "5" }, readAgain);
  void cache.invalidateQueries({ queryKey: KEY });
  await writes.answer(3, "kept");
  await expect.poll(() => calls).toEqual([false, true, true]);
  await reads.answer(1, { cards: "5" });
  await idle();
});

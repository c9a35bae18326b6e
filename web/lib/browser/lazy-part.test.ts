import { expect, test } from "vitest";
import { inAttempts, retryOf, sourceOf } from "./lazy-part.ts";

/** A loader that fails `failures` times, and the pauses between its calls. */
function failing(failures: number) {
  const waits: number[] = [];
  let calls = 0;
  const load = async () => {
    calls += 1;
    if (calls <= failures) throw new Error("Failed to fetch dynamically imported module");
    return "the part";
  };
  return { load, waits, wait: async (ms: number) => void waits.push(ms), calls: () => calls };
}

test("a part that fails to load is requested again after a second, and after two more", async () => {
  const { load, wait, waits } = failing(2);
  expect(await inAttempts(load, wait)).toBe("the part");
  expect(waits).toEqual([1000, 2000]);
});

test("a part that fails three times is a failure", async () => {
  const { load, wait, calls } = failing(3);
  await expect(inAttempts(load, wait)).rejects.toThrow("Failed to fetch");
  expect(calls()).toBe(3);
});

test("a loaded part is rendered at once", async () => {
  const { load, wait, waits } = failing(0);
  expect(await inAttempts(load, wait)).toBe("the part");
  expect(waits).toEqual([]);
});

test("a failed part is loaded again when the person asks, and a new page is offered after that has failed", () => {
  const source: Parameters<typeof retryOf>[0] = { attempts: Promise.resolve() };
  let renders = 0;
  retryOf(source, () => renders++)();
  expect([source.attempts, source.retried, renders]).toEqual([undefined, true, 1]);
});

test("what a loader imports is known from its code, as the build writes it", () => {
  const loader = (code: string) => Object.assign(() => undefined, { toString: () => code });
  expect(sourceOf(loader("()=>T(()=>import(`./MemoryPage-BEEKMp.js`).then(e=>e.t),__vite__mapDeps([1,2]))"))).toEqual([
    "./MemoryPage-BEEKMp.js",
    "t",
    undefined,
  ]);
  expect(sourceOf(loader('()=>import("./Sky-a_b-c1.js")'))).toEqual(["./Sky-a_b-c1.js", undefined, undefined]);
  const picking =
    "async()=>({default:(await P(async()=>{let{StoryWriter:e}=await import(`./StoryWriter-DSS.js`);return{StoryWriter:e}},__vite__mapDeps([40]))).StoryWriter})";
  expect(sourceOf(loader(picking))).toEqual(["./StoryWriter-DSS.js", undefined, "StoryWriter"]);
  expect(sourceOf(loader("async()=>(await T(()=>import(`./routes.js`),[])).default[3]()"))).toEqual([]);
});

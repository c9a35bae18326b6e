import type { Worker } from "node:worker_threads";
import { RequestError } from "../../shared/request-error.ts";
import { CLEANINGS_PER_CALLER, CLEANINGS_WAITING, HTML_DIRECT_LENGTH } from "../supabase/bounds.ts";
import type { DomainCleaner } from "../supabase/rest/cleaning.ts";
import { OverloadedError } from "../supabase/service-failure.ts";
import { startThread } from "../threads/start-thread.ts";
import { checkHtml, cleanHtml } from "./html.ts";
import type { CleaningJob, CleaningResult } from "./html-worker.ts";

interface Waiting {
  values: string[];
  resolve(cleaned: string[]): void;
  reject(error: Error): void;
}

/** Sanitises values of the domain `html`: short ones immediately, long ones on a thread that starts at first use. */
export function openHtmlCleaner(): DomainCleaner & { close(): Promise<void> } {
  const queue = new FairQueue<Waiting>({ perOwner: CLEANINGS_PER_CALLER, total: CLEANINGS_WAITING });
  let worker: Worker | undefined;
  let current: Waiting | undefined;
  let jobs = 0;

  /** Sends the worker one job at a time, so that the queue decides the order. */
  function next() {
    if (current) return;
    current = queue.take();
    if (!current) return worker?.unref();
    worker ??= start();
    worker.ref();
    jobs += 1;
    worker.postMessage({ id: jobs, values: current.values } satisfies CleaningJob);
  }

  function start(): Worker {
    const started = startThread("html-worker", import.meta.url);
    started.on("message", ({ id, cleaned, refused, failed }: CleaningResult) => {
      if (id !== jobs || !current) return;
      const { resolve, reject } = current;
      current = undefined;
      if (cleaned) resolve(cleaned);
      else if (refused) reject(new RequestError(refused.code, { message: refused.message, status: refused.status }));
      else reject(failed ?? new Error("The HTML was not cleaned"));
      next();
    });
    const end = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      const interrupted = current;
      current = undefined;
      interrupted?.reject(error);
      next();
    };
    started.on("error", end);
    started.on("exit", () => end(new Error("The thread that cleans HTML ended")));
    return started;
  }

  return {
    directLength: HTML_DIRECT_LENGTH,
    placeholder: "<p>.</p>",
    check: checkHtml,
    clean: cleanHtml,
    cleanAll: (values, owner) =>
      new Promise((resolve, reject) => {
        const outcome = queue.add(owner, { values, resolve, reject });
        if (outcome === "owner_full") {
          reject(new RequestError("too_many_texts"));
        } else if (outcome === "full") reject(new OverloadedError("Too many texts wait to be cleaned"));
        else next();
      }),
    async close() {
      const ending = worker;
      worker = undefined;
      await ending?.terminate();
    },
  };
}

/** A bounded round-robin queue: many items of one owner delay another owner's by one at a time. */
export class FairQueue<Item> {
  readonly #waiting = new Map<string, Item[]>();
  readonly #most: { perOwner: number; total: number };
  #size = 0;

  constructor(most: { perOwner: number; total: number }) {
    this.#most = most;
  }

  /** Adds an item to its owner's queue; returns the exceeded bound, if any. */
  add(owner: string, item: Item): "added" | "owner_full" | "full" {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#most.perOwner) return "owner_full";
    if (this.#size >= this.#most.total) return "full";
    own.push(item);
    this.#waiting.set(owner, own);
    this.#size += 1;
    return "added";
  }

  /** Takes the first item of the next owner. */
  take(): Item | undefined {
    const [owner, own] = this.#waiting.entries().next().value ?? [];
    if (owner === undefined || !own) return undefined;
    const item = own.shift();
    this.#size -= 1;
    // Moves the owner to the end of the round.
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    return item;
  }
}

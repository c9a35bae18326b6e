import { signMediaUrls } from "../data/media.queries.ts";
import type { LoadedMediaUrls, MediaUrls, PhotoRef } from "../data/photo.ts";
import { createStore } from "../lib/browser/store.ts";
import { offline } from "../lib/offline/offline-state.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";

interface KnownMedia {
  urls: MediaUrls;
  poster: string;
  signedAt: number;
}

export interface MediaUrlCacheDeps {
  /** Signs URLs by object name; inaccessible names are missing in the result. */
  sign: (bucket: "media" | "posters", objectNames: string[]) => Promise<Record<string, string>>;
  placeholders: (ids: string[]) => Promise<Record<string, string>>;
  now?: () => number;
  /** Time in milliseconds for which requests are collected into one batch. */
  together?: number;
}

const TOGETHER_MS = 60;
/** URLs are valid for an hour, so that a URL of this age is valid for 20 more minutes. */
const FRESH_MS = 40 * 60_000;
const AT_ONCE = 100;
const RENEWAL_PAUSE_MS = 10_000;
/** Pause before photos of a failed request are requested again. Everything that shows them asks at each change. */
const FAILURE_PAUSE_MS = 10_000;
const NOTHING: MediaUrls = {};

/**
 * An external store of URLs and placeholders of the photos near the viewport. They are requested in batches, so that
 * the first view of 2,000 photos costs no more than that of 30.
 */
export class MediaUrlCache {
  readonly #deps: MediaUrlCacheDeps;
  readonly #known = createStore<ReadonlyMap<string, KnownMedia>>(new Map());
  readonly #waiting = new Map<string, PhotoRef>();
  /** The running requests by photo. */
  readonly #asked = new Map<string, Promise<void>>();
  readonly #failedAt = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: MediaUrlCacheDeps) {
    this.#deps = deps;
  }

  readonly subscribe = this.#known.subscribe;

  /** The cached data of a photo, with a stable identity until it changes. */
  readonly get = (id: string): MediaUrls => this.#known.get().get(id)?.urls ?? NOTHING;

  /** Adds URLs that were loaded together with their photos, by default now. */
  know(come: LoadedMediaUrls, signedAt = this.#now()): void {
    const entries = come.map(
      ([{ id, poster_name }, urls]) => [id, { urls, poster: poster_name ?? "", signedAt }] as const,
    );
    this.#known.set(new Map([...this.#known.get(), ...entries]));
  }

  /** All cached URLs and placeholders, for an offline copy. */
  readonly known = (): LoadedMediaUrls =>
    [...this.#known.get()].map(([id, { urls, poster }]) => [{ id, poster_name: poster }, urls]);

  /** Queues photos near the viewport whose URLs are missing or stale. */
  readonly request = (photos: Iterable<PhotoRef>): void => {
    // Offline copies of pictures are found by URLs that have expired.
    if (offline.get()) return;
    const now = this.#now();
    for (const photo of photos) {
      const cachedUrls = this.#known.get().get(photo.id);
      // A video's poster is uploaded after the video.
      const fresh =
        cachedUrls && now - cachedUrls.signedAt < FRESH_MS && cachedUrls.poster === (photo.poster_name ?? "");
      const paused = now - (this.#failedAt.get(photo.id) ?? Number.NEGATIVE_INFINITY) < FAILURE_PAUSE_MS;
      if (this.#asked.has(photo.id) || fresh || paused) continue;
      this.#waiting.set(photo.id, photo);
    }
    if (this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      void this.ask(waiting);
    }, this.#deps.together ?? TOGETHER_MS);
  };

  /** Removes photos that left the viewport from the queue. */
  readonly release = (photos: Iterable<PhotoRef>): void => {
    for (const { id } of photos) this.#waiting.delete(id);
  };

  /** Marks all URLs as stale after one was refused; at most once per pause. */
  readonly renew = (): void => {
    if (this.#now() - this.#renewedAt < RENEWAL_PAUSE_MS) return;
    this.#renewedAt = this.#now();
    const stale = [...this.#known.get()].map(
      ([id, cachedUrls]) => [id, { ...cachedUrls, signedAt: Number.NEGATIVE_INFINITY }] as const,
    );
    this.#known.set(new Map(stale));
  };

  /**
   * Requests those of these that are not being requested, and waits for all. Failed ones are requested again after a
   * pause, when they are near the viewport.
   */
  async ask(all: readonly PhotoRef[]): Promise<void> {
    const missing = all.filter(({ id }) => !this.#asked.has(id));
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const batch = missing.slice(at, at + AT_ONCE);
      const answered = this.#load(batch);
      for (const { id } of batch) this.#asked.set(id, answered);
    }
    await Promise.all(all.map(({ id }) => this.#asked.get(id)));
  }

  async #load(batch: PhotoRef[]): Promise<void> {
    try {
      const signed = await this.#askBatch(batch);
      for (const { id } of batch) this.#asked.delete(id);
      this.#known.set(new Map([...this.#known.get(), ...signed]));
    } catch {
      for (const { id } of batch) {
        this.#asked.delete(id);
        this.#failedAt.set(id, this.#now());
      }
    }
  }

  async #askBatch(batch: PhotoRef[]): Promise<[id: string, KnownMedia][]> {
    const { sign, placeholders } = this.#deps;
    // Requested once for each picture: it is of no more use when the picture itself is requested again.
    const blurless = batch
      .filter(({ id, poster_name }) => {
        const cachedUrls = this.#known.get().get(id);
        return !cachedUrls?.urls.placeholder && cachedUrls?.poster !== (poster_name ?? "");
      })
      .map(({ id }) => id);
    const posters = batch.flatMap(({ poster_name }) => poster_name ?? []);
    const none: Record<string, string> = {};
    const [originalUrls, posterUrls, blurs] = await Promise.all([
      sign(
        "media",
        batch.map(({ object_name }) => object_name),
      ),
      // Blurs and posters are optional: their failure must not fail the batch.
      posters.length > 0 ? sign("posters", posters).catch(() => none) : none,
      blurless.length > 0 ? placeholders(blurless).catch(() => none) : none,
    ]);
    return batch.map(({ id, object_name, poster_name, type }) => {
      const url = originalUrls[object_name];
      const picture = type === "video" || type === "audio" ? posterUrls[poster_name ?? ""] : url;
      const urls = { url, picture, placeholder: this.get(id).placeholder ?? blurs[id] };
      return [id, { urls, poster: poster_name ?? "", signedAt: this.#now() }];
    });
  }

  #now() {
    return (this.#deps.now ?? Date.now)();
  }
}

/** Creates the cache of a page for its client. */
export const createMediaUrlCache = (client: SupabaseClient) =>
  new MediaUrlCache({
    sign: (bucket, names) => signMediaUrls(client, bucket, names),
    placeholders: async (ids) => {
      const data = await client
        .from("media")
        .select("id,placeholder")
        .in("id", ids)
        .then(unwrap("Failed to load photos"));
      return Object.fromEntries(data.flatMap(({ id, placeholder }) => (placeholder ? [[id, placeholder]] : [])));
    },
  });

import { signMediaUrls } from "../data/media.queries.ts";
import type { MediaUrls, PhotoRef } from "../data/photo.ts";
import { createStore } from "../lib/browser/store.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";

interface KnownMedia {
  urls: MediaUrls;
  poster: string;
  signedAt: number;
}

export interface MediaUrlCacheDeps {
  /** Signed addresses by object name; a name that may not be seen is left out. */
  sign: (bucket: "media" | "posters", objectNames: string[]) => Promise<Record<string, string>>;
  /** Placeholders by id. */
  placeholders: (ids: string[]) => Promise<Record<string, string>>;
  now?: () => number;
  /** Milliseconds within which what is wanted is asked for together. */
  together?: number;
}

const TOGETHER_MS = 60;
/** Addresses live for an hour, so these still have a third of it before them. */
const FRESH_MS = 40 * 60_000;
const AT_ONCE = 100;
const RENEWAL_PAUSE_MS = 10_000;
const NOTHING: MediaUrls = {};

/**
 * Addresses and placeholders of the photos near the window, as an external store: asked for in batches as they come near,
 * so that a memory of two thousand costs its first view no more than one of thirty.
 */
export class MediaUrlCache {
  readonly #deps: MediaUrlCacheDeps;
  readonly #known = createStore<ReadonlyMap<string, KnownMedia>>(new Map());
  readonly #waiting = new Map<string, PhotoRef>();
  readonly #asked = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: MediaUrlCacheDeps) {
    this.#deps = deps;
  }

  readonly subscribe = this.#known.subscribe;

  /** What is known of a photo; the same object until more is. */
  readonly get = (id: string): MediaUrls => this.#known.get().get(id)?.urls ?? NOTHING;

  /** These addresses have just come with their photos. */
  know(come: readonly (readonly [Pick<PhotoRef, "id" | "poster_name">, MediaUrls])[]): void {
    const signedAt = this.#now();
    const known = come.map(
      ([{ id, poster_name }, urls]) => [id, { urls, poster: poster_name ?? "", signedAt }] as const,
    );
    this.#known.set(new Map([...this.#known.get(), ...known]));
  }

  /** These are near: whatever of them is not known, or no longer fresh, will be asked for. */
  readonly request = (photos: Iterable<PhotoRef>): void => {
    const now = this.#now();
    for (const photo of photos) {
      const known = this.#known.get().get(photo.id);
      // A video's poster comes after the video.
      const fresh = known && now - known.signedAt < FRESH_MS && known.poster === (photo.poster_name ?? "");
      if (this.#asked.has(photo.id) || fresh) continue;
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

  /** These are far again: what was not asked for yet need not be. */
  readonly release = (photos: Iterable<PhotoRef>): void => {
    for (const { id } of photos) this.#waiting.delete(id);
  };

  /** An address was refused: all of them are asked for again when they are next wanted, but not over and over. */
  readonly renew = (): void => {
    if (this.#now() - this.#renewedAt < RENEWAL_PAUSE_MS) return;
    this.#renewedAt = this.#now();
    const stale = [...this.#known.get()].map(
      ([id, known]) => [id, { ...known, signedAt: Number.NEGATIVE_INFINITY }] as const,
    );
    this.#known.set(new Map(stale));
  };

  /** Asks for these now; what fails is asked for when it is next near. */
  async ask(all: readonly PhotoRef[]): Promise<void> {
    for (const { id } of all) this.#asked.add(id);
    const batches = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
      all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
    );
    const signed = await Promise.all(batches.map((batch) => this.#askBatch(batch).catch(() => [])));
    for (const { id } of all) this.#asked.delete(id);
    this.#known.set(new Map([...this.#known.get(), ...signed.flat()]));
  }

  async #askBatch(batch: PhotoRef[]): Promise<[id: string, KnownMedia][]> {
    const { sign, placeholders } = this.#deps;
    const blurless = batch.filter(({ id }) => !this.get(id).placeholder).map(({ id }) => id);
    const posters = batch.flatMap(({ poster_name }) => poster_name ?? []);
    const none: Record<string, string> = {};
    const [originalUrls, posterUrls, blurs] = await Promise.all([
      sign(
        "media",
        batch.map(({ object_name }) => object_name),
      ),
      // A photo without its blur is still a photo, and a video without its poster still plays.
      posters.length > 0 ? sign("posters", posters).catch(() => none) : none,
      blurless.length > 0 ? placeholders(blurless).catch(() => none) : none,
    ]);
    return batch.map(({ id, object_name, poster_name, type }) => {
      const url = originalUrls[object_name];
      const picture = type === "video" ? posterUrls[poster_name ?? ""] : url;
      const urls = { url, picture, placeholder: this.get(id).placeholder ?? blurs[id] };
      return [id, { urls, poster: poster_name ?? "", signedAt: this.#now() }];
    });
  }

  #now() {
    return (this.#deps.now ?? Date.now)();
  }
}

/** Where addresses and placeholders of the photos near the window are kept, for one page and its client. */
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

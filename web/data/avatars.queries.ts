import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { createStore, useStore } from "../lib/browser/store.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { renditionUrl } from "../lib/request/rendition-url.ts";
import { mediaUrlsQuery } from "./media.queries.ts";
import { pictureName } from "./picture-name.ts";
import { queryKeys } from "./query-keys.ts";
import { NotUndone } from "./save-over.ts";

const BUCKET = "avatars";
const NONE: Readonly<Record<string, string>> = {};

/**
 * Version number, increased when the person's own picture changes: its signed URL stays the same, so it would be
 * cached.
 */
const changes = createStore(0);

/** Returns the URLs of people's pictures by account. People without a picture visible to the client are missing. */
export function useAvatars(client: SupabaseClient, scope: string, people: readonly (string | null)[]) {
  const names = useQuery(namesQuery(people)).data ?? NONE;
  const urls = usePictures(client, scope, Object.values(names));
  return useMemo(() => {
    const ofPeople = Object.entries(names).map(([id, name]) => [id, urls[name]] as const);
    return Object.fromEntries(ofPeople.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
  }, [names, urls]);
}

/** The names of people's pictures by account. */
const namesQuery = (people: readonly (string | null)[]) => {
  const ids = [...new Set(people.filter((id) => id !== null))].sort();
  return queryOptions({
    queryKey: queryKeys.pictureNames(ids),
    queryFn: async (): Promise<Record<string, string>> =>
      Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await pictureName(id)] as const))),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
};

/** Returns the URLs of pictures by name. Those that do not exist or are not visible to the client are missing. */
export function usePictures(
  client: SupabaseClient,
  scope: string,
  pictures: readonly (string | null)[],
): Record<string, string> {
  const version = useStore(changes);
  const names = useMemo(() => [...new Set(pictures.filter((name) => name !== null))].sort(), [pictures]);
  const urls = useQuery(mediaUrlsQuery(client, scope, names, BUCKET)).data;
  return useMemo(
    () =>
      urls
        ? Object.fromEntries(
            Object.entries(urls).map(([name, url]) => [name, `${renditionUrl(url, 320)}&version=${version}`]),
          )
        : NONE,
    [urls, version],
  );
}

/** A person's picture in full size; null without one. */
export async function readAvatar(client: SupabaseClient, id: string): Promise<Blob | null> {
  const { data } = await client.storage.from(BUCKET).download(await pictureName(id));
  return data;
}

async function isSame(one: Blob | null, other: Blob): Promise<boolean> {
  if (one?.size !== other.size) return false;
  const [bytes, others] = [new Uint8Array(await one.arrayBuffer()), new Uint8Array(await other.arrayBuffer())];
  return bytes.every((byte, at) => byte === others[at]);
}

/**
 * Replaces a person's own picture, or removes it with null. An undo names the picture that must still be there as
 * `expected`; otherwise it fails with {@link NotUndone}.
 */
export function useSaveAvatar(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ picture, expected }: { picture: Blob | null; expected?: Blob | null }) => {
      if (expected && !(await isSame(await readAvatar(client, id), expected))) throw new NotUndone();
      const bucket = client.storage.from(BUCKET);
      const name = await pictureName(id);
      const { error } = picture
        ? await bucket.upload(name, picture, { upsert: expected !== null, contentType: picture.type })
        : await bucket.remove([name]);
      if (error && expected === null && "statusCode" in error && error.statusCode === "409") throw new NotUndone();
      if (error) throw error;
    },
    onSuccess: (_saved, { picture }) => {
      if (picture) changes.set(changes.get() + 1);
      return refresh(cache, queryKeys.mediaUrls(BUCKET));
    },
  });
}

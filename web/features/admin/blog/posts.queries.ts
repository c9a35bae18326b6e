import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Row } from "../../../../shared/database.ts";
import { searchWords } from "../../../../shared/search-key.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { anywhere, inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

/** A stored post in one language. */
export type DeskPost = Row<"blog_posts">;
export type PostLanguage = DeskPost["language"];
/** The editable fields of a post. */
export type PostFields = Pick<DeskPost, "title" | "summary" | "author" | "body" | "cover" | "cover_alt">;

/** A post in the list, with all of its languages. */
export interface PostRow {
  slug: string;
  posts: Pick<DeskPost, "language" | "title" | "published_at" | "slug">[];
}

type Place = Pick<DeskPost, "id" | "slug" | "created_at">;

const PAGE = 50;
const NEWEST_FIRST: PageOrder<Place> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** The key of a post without a slug; no post can have this slug. */
export const NEW_POST = "_new";

/** The publication state of a post. */
export const stateOf = ({ published_at: at }: Pick<DeskPost, "published_at">): "draft" | "scheduled" | "published" =>
  at === null ? "draft" : Date.parse(at) > serverNow() ? "scheduled" : "published";

/** Posts with this text in the title of any language, newest first. */
export const deskPostsQuery = (client: SupabaseClient, find: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskBlog("list", find),
    queryFn: async ({ pageParam, signal }) => {
      let query = client.from("blog_posts").select("id,slug,created_at");
      for (const word of searchWords(find)) query = query.like("title_key", anywhere(word));
      const places: Place[] = await inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load posts"));
      const slugs = [...new Set(places.map(({ slug }) => slug))];
      // All translations of a found post are loaded, whatever their titles.
      const posts = await client
        .from("blog_posts")
        .select("slug,language,title,published_at")
        .in("slug", slugs)
        .order("language")
        .abortSignal(signal)
        .then(unwrap("Failed to load posts"));
      const rows = slugs.map((slug): PostRow => ({ slug, posts: posts.filter((post) => post.slug === slug) }));
      return { rows: rows.filter(({ posts }) => posts.length > 0), last: lastOf(places, PAGE) };
    },
    initialPageParam: undefined as Place | undefined,
    getNextPageParam: ({ last }) => last,
    // Translations that were created at different times may repeat their post on another page.
    select: ({ pages }) => [...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row.slug, row])).values()],
    placeholderData: keepPreviousData,
  });

/** A post in all of its languages. */
export const deskPostQuery = (client: SupabaseClient, slug: string) =>
  queryOptions({
    queryKey: queryKeys.deskBlog("one", slug),
    queryFn: async ({ signal }): Promise<DeskPost[]> =>
      client.from("blog_posts").select().eq("slug", slug).abortSignal(signal).then(unwrap("Failed to load the post")),
  });

/** A cover's picture, or null. Downloaded, because signed URLs lack the role that a draft's cover requires. */
export const coverPictureQuery = (client: SupabaseClient, cover: string | null) =>
  queryOptions({
    queryKey: queryKeys.mediaUrls("covers", "", [cover ?? ""]),
    queryFn: async (): Promise<Blob | null> =>
      cover
        ? client.storage
            .from("covers")
            .download(cover, { transform: { width: 960 } })
            .then(unwrap("Failed to load the cover"))
        : null,
    // Objects never change.
    staleTime: Number.POSITIVE_INFINITY,
  });

export type RevisionRow = Pick<Row<"blog_revisions">, "id" | "title" | "written_at">;

const REVISIONS = 20;

/** Earlier versions of a post, newest first. */
export const revisionsQuery = (client: SupabaseClient, slug: string, language: PostLanguage) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskBlog("revisions", slug, language),
    queryFn: async ({ pageParam, signal }): Promise<RevisionRow[]> =>
      inPages(
        client.from("blog_revisions").select("id,title,written_at").eq("slug", slug).eq("language", language),
        [["id", "down"]],
        { after: pageParam, size: REVISIONS },
      )
        .abortSignal(signal)
        .then(unwrap("Failed to load earlier versions")),
    initialPageParam: undefined as RevisionRow | undefined,
    getNextPageParam: (page) => lastOf(page, REVISIONS),
    select: ({ pages }) => pages.flat(),
  });

/** One earlier version with its text. */
export const revisionQuery = (client: SupabaseClient, id: number) =>
  queryOptions({
    queryKey: queryKeys.deskBlog("revision", String(id)),
    queryFn: async ({ signal }): Promise<Row<"blog_revisions">> =>
      client
        .from("blog_revisions")
        .select()
        .eq("id", id)
        .abortSignal(signal)
        .single()
        .then(unwrap("Failed to load the earlier version")),
  });

/** The post to save; a new one has no `base`. */
interface Save {
  fields: PostFields;
  language: PostLanguage;
  slug: string;
  /** The stored post that the editing began with. */
  base?: Pick<DeskPost, "id" | "slug" | "updated_at">;
  /** The publication time, null for a draft; undefined to keep it. */
  published_at?: string | null;
}

async function save(client: SupabaseClient, { fields, language, slug, base, published_at }: Save): Promise<DeskPost> {
  const columns = { ...fields, ...(published_at !== undefined && { published_at }) };
  const { data, error } = base
    ? await client
        .from("blog_posts")
        .update(columns)
        .eq("id", base.id)
        .eq("updated_at", base.updated_at)
        .select()
        .maybeSingle()
    : await client
        .from("blog_posts")
        .insert({ ...columns, language, slug })
        .select()
        .maybeSingle();
  if (error) throw new Error("Failed to save the post", { cause: error.code });
  if (!data) throw new Error("The post was changed by somebody else", { cause: "overtaken" });
  if (data.slug === slug) return data;
  // All translations share their slug, so they are renamed too.
  const renamed = await client.from("blog_posts").update({ slug }).eq("slug", data.slug).select();
  if (renamed.error) throw new Error("Failed to rename the post", { cause: renamed.error.code });
  return renamed.data.find(({ id }) => id === data.id) ?? data;
}

/** Stores a post; resolves to its new state. Rejects with the error's code as cause. */
export function useSavePost(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (post: Save) => save(client, post),
    onSuccess: (post) =>
      // Cached, also under a new slug, so that the post is shown before it is reloaded.
      cache.setQueryData(deskPostQuery(client, post.slug).queryKey, (before) => [
        ...(before ?? []).filter(({ id }) => id !== post.id),
        post,
      ]),
    onSettled: () => readAgain(cache),
  });
}

/** Deletes a post in one language, restores it, or replaces it with an earlier version. */
export function useChangePost(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (act: { remove: DeskPost } | { back: DeskPost } | { restore: number }) => {
      if ("remove" in act) {
        await client.from("blog_posts").delete().eq("id", act.remove.id).then(unwrap("Failed to delete the post"));
      } else if ("back" in act) {
        const { slug, language, title, summary, body, author, published_at, cover, cover_alt } = act.back;
        const post = { slug, language, title, summary, body, author, published_at, cover, cover_alt };
        await client.from("blog_posts").insert(post).then(unwrap("Failed to bring the post back"));
      } else {
        await client.rpc("restore_revision", { revision: act.restore }).then(unwrap("Failed to restore the version"));
      }
      const again = readAgain(cache);
      // Waits for the reload, so that the form starts with the restored version.
      if ("restore" in act) await again;
    },
  });
}

const readAgain = (cache: ReturnType<typeof useQueryClient>) =>
  refresh(cache, queryKeys.deskBlog(), queryKeys.blog(), queryKeys.blogPost(), queryKeys.audit());

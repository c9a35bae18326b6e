import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../lib/request/in-pages.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** What a list shows of a post; a published one has its date. */
export type PostSummary = Pick<Row<"blog_posts">, "id" | "slug" | "title" | "summary" | "author"> & {
  /** ISO 8601. */
  published_at: string;
};

/** A post with its text, HTML that the server has cleaned. */
export type Post = PostSummary & Pick<Row<"blog_posts">, "body">;

const SUMMARY = "id,slug,title,summary,author,published_at";
const PAGE = 12;
const NEWEST_FIRST: PageOrder<PostSummary> = [
  ["published_at", "down"],
  ["id", "up"],
];

type Language = "en" | "it";

/** The published posts in one language, newest first, in pages. */
export const postsQuery = (client: SupabaseClient, language: Language) =>
  infiniteQueryOptions({
    queryKey: queryKeys.blog(language),
    queryFn: async ({ pageParam, signal }): Promise<PostSummary[]> => {
      const asked = client.from("blog_posts").select(SUMMARY).eq("language", language).lte("published_at", "now");
      const data = await inPages(asked, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load posts"));
      return data as PostSummary[];
    },
    initialPageParam: undefined as PostSummary | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One published post by its slug or id, in this language where it is translated; null where there is none. */
export const postQuery = (client: SupabaseClient, id: string, language: Language) =>
  queryOptions({
    queryKey: queryKeys.blogPost(id, language),
    queryFn: async ({ signal }): Promise<Post | null> => {
      const data = await client
        .from("blog_posts")
        .select(`${SUMMARY},language,body`)
        .eq(UUID.test(id) ? "id" : "slug", id)
        .lte("published_at", "now")
        .abortSignal(signal)
        .then(unwrap("Failed to load post"));
      const found = data as (Post & { language: string })[];
      return found.find((post) => post.language === language) ?? found[0] ?? null;
    },
  });

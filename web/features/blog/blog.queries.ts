import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { lastOf, laterThan, type PageOrder } from "../../lib/request/in-pages.ts";
import { publicRows } from "../../lib/request/public-rows.ts";

/** The fields from which a post's cover and its placeholder are rendered. */
export type PostCoverFacts = Pick<
  Row<"blog_posts">,
  "cover" | "cover_alt" | "cover_width" | "cover_colour" | "cover_placeholder"
>;

/** A published post in a list. */
export type PostSummary = PostCoverFacts &
  Pick<Row<"blog_posts">, "id" | "slug" | "title" | "summary" | "author"> & {
    /** ISO 8601. */
    published_at: string;
  };

/** A post with its text, as HTML that the server has sanitised. */
export type Post = PostSummary & Pick<Row<"blog_posts">, "body">;

const SUMMARY = "id,slug,title,summary,author,published_at,cover,cover_alt,cover_width,cover_colour,cover_placeholder";
const PAGE = 12;
const NEWEST_FIRST: PageOrder<PostSummary> = [
  ["published_at", "down"],
  ["id", "up"],
];

type Language = "en" | "it";

/** The published posts in one language, newest first, in pages. */
export const postsQuery = (language: Language) =>
  infiniteQueryOptions({
    queryKey: queryKeys.blog(language),
    queryFn: async ({ pageParam: after, signal }): Promise<PostSummary[]> => {
      const query = [
        ["select", SUMMARY],
        ["language", `eq.${language}`],
        ["published_at", "lte.now"],
        ["order", "published_at.desc,id"],
        ["limit", String(PAGE)],
        ...(after
          ? [
              ["published_at", `lte.${after.published_at}`],
              ["or", `(${laterThan(after, NEWEST_FIRST)})`],
            ]
          : []),
      ];
      return publicRows<PostSummary>("blog_posts", query, signal, "Failed to load posts");
    },
    initialPageParam: null as PostSummary | null,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One published post by slug or id, in this language if translated; null if missing. `clean` sanitises its text. */
export const postQuery = (id: string, language: Language, clean: (html: string) => string | Promise<string>) =>
  queryOptions({
    queryKey: queryKeys.blogPost(id, language),
    queryFn: async ({ signal }): Promise<Post | null> => {
      const query = [
        ["select", `${SUMMARY},language,body`],
        [UUID.test(id) ? "id" : "slug", `eq.${id}`],
        ["published_at", "lte.now"],
      ];
      const posts = await publicRows<Post & { language: string }>("blog_posts", query, signal, "Failed to load post");
      const post = posts.find((one) => one.language === language) ?? posts[0];
      return post ? { ...post, body: await clean(post.body) } : null;
    },
  });

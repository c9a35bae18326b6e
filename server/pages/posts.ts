import type { Database } from "../database/database.ts";

/** The languages of public pages. */
export type Language = "en" | "it";

/** A blog post without its text. */
export interface Post {
  id: string;
  slug: string;
  language: Language;
  title: string;
  summary: string;
  author: string;
  published_at: Date;
  updated_at: Date;
  /** The object name of the cover, its alternative text, and its size in pixels; null for a drawn sky. */
  cover: string | null;
  cover_alt: string;
  cover_width: number | null;
  cover_height: number | null;
}

/**
 * How long public rows are cached, in milliseconds: it delays changes, and protects the database from many visitors.
 */
export const FRESH_MS = 5000;

const MOST_POSTS = 5000;

/** The blog's posts, newest first. Scheduled posts are cached too, and appear on time. */
export function openPosts(db: Database) {
  let read: { at: number; posts: Promise<Post[]> } | undefined;

  function allPosts(): Promise<Post[]> {
    if (read && Date.now() - read.at < FRESH_MS) return read.posts;
    const posts = db
      .read<Post>(
        `select id, slug, language, title, summary, author, published_at, updated_at, cover, cover_alt, cover_width, cover_height
         from blog_posts
         where published_at is not null order by published_at desc, id limit $1`,
        [MOST_POSTS],
        { mayBeOld: true },
      )
      .then(({ rows }) => rows);
    const own = { at: Date.now(), posts };
    read = own;
    posts.catch(() => {
      if (read === own) read = undefined;
    });
    return posts;
  }

  /** Resolves to the posts that are published now. */
  const published = async () => (await allPosts()).filter(({ published_at }) => published_at.getTime() <= Date.now());

  return {
    inLanguage: async (language: Language) => (await published()).filter((post) => post.language === language),
    /** Resolves to a post in all its languages, by its slug or by the id of one of them. */
    async find(name: string) {
      const posts = await published();
      const slug = posts.find(({ id }) => id === name)?.slug ?? name;
      return posts.filter((post) => post.slug === slug);
    },
  };
}

export type Posts = ReturnType<typeof openPosts>;

import { Byline } from "./Byline.tsx";
import type { Post, PostCoverFacts } from "./blog.queries.ts";
import { PostCover } from "./PostCover.tsx";

interface PostArticleProps {
  post: Omit<Post, "id" | keyof PostCoverFacts> & Partial<PostCoverFacts>;
  /** The URL of the cover's picture, if the cover is not public. */
  coverUrl?: string | undefined;
  heading?: "h1" | "h2";
}

/** A post as readers see it. Its HTML must be sanitised already. */
export function PostArticle({ post, coverUrl, heading: Heading = "h1" }: PostArticleProps) {
  return (
    <>
      <Heading className="font-serif text-4xl leading-tight text-balance wrap-anywhere sm:text-5xl">
        {post.title}
      </Heading>
      <p className="text-xl text-ink-soft">{post.summary}</p>
      <Byline post={post} />
      <div className={`overflow-hidden rounded-3xl ${post.cover ? "aspect-video" : "h-44 sm:h-64"}`}>
        <PostCover post={post} url={coverUrl} sizes="(min-width: 60rem) 56rem, 100vw" eager />
      </div>
      <PostBody html={post.body} />
    </>
  );
}

/** The text of a post, as sanitised HTML. */
const PostBody = ({ html }: { html: string }) => (
  <div
    className="story max-w-prose font-serif text-lg leading-[1.75] sm:text-xl"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: it was cleaned, see postQuery
    dangerouslySetInnerHTML={{ __html: html }}
  />
);

import { Sky } from "../../ui/Sky.tsx";
import { Byline } from "./Byline.tsx";
import type { Post } from "./blog.queries.ts";
import { PostBody } from "./PostBody.tsx";
import { skyOf } from "./PostCard.tsx";

/** A post as its readers see it: title, summary, who wrote it and when, its sky and its text, which is clean. */
export function PostArticle({ post, heading: Heading = "h1" }: { post: Omit<Post, "id">; heading?: "h1" | "h2" }) {
  return (
    <>
      <Heading className="font-serif text-4xl leading-tight text-balance wrap-anywhere sm:text-5xl">
        {post.title}
      </Heading>
      <p className="text-xl text-ink-soft">{post.summary}</p>
      <Byline post={post} />
      <div className="h-44 overflow-hidden rounded-3xl sm:h-64">
        <Sky moment={skyOf(post)} seed={post.slug} />
      </div>
      <PostBody html={post.body} />
    </>
  );
}

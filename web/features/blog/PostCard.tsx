import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Byline } from "./Byline.tsx";
import type { PostSummary } from "./blog.queries.ts";
import { PostCover } from "./PostCover.tsx";

/** A post in a list, with its cover or the sky of its publication time. */
export function PostCard({ post }: { post: PostSummary }) {
  return (
    <article className="group relative grid h-full content-start overflow-hidden rounded-3xl border border-line bg-raised">
      <div className="h-36">
        <PostCover post={post} sizes="(min-width: 80rem) 25rem, (min-width: 40rem) 50vw, 100vw" />
      </div>
      <div className="grid gap-2 p-6">
        <h2 className="font-serif text-2xl leading-tight">
          <Link
            to={paths.blogPost(post.slug)}
            className="text-ink no-underline after:absolute after:inset-0 after:rounded-3xl group-hover:text-deep"
          >
            {post.title}
          </Link>
        </h2>
        <p className="text-ink-soft">{post.summary}</p>
        <Byline post={post} />
      </div>
    </article>
  );
}

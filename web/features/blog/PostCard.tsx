import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Sky } from "../../ui/Sky.tsx";
import { Byline } from "./Byline.tsx";
import type { PostSummary } from "./blog.queries.ts";

/** One post in a list, under the sky of the hour at which it was published. */
export function PostCard({ post }: { post: PostSummary }) {
  return (
    <article className="group relative grid h-full content-start overflow-hidden rounded-3xl border border-line bg-raised">
      <Sky moment={skyOf(post)} seed={post.slug} className="h-36 w-full" />
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

const HOURS = [6, 9, 17, 19, 21];

/** A moment with a sky of its own for each post, on the same day by every clock. */
export function skyOf({ slug, published_at }: Pick<PostSummary, "slug" | "published_at">): Date {
  const day = new Date(published_at);
  const sum = [...slug].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), HOURS[sum % HOURS.length]);
}

import { publicUrl, renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { Sky } from "../../ui/Sky.tsx";
import type { PostCoverFacts, PostSummary } from "./blog.queries.ts";

interface PostCoverProps {
  post: Pick<PostSummary, "slug" | "published_at"> & Partial<PostCoverFacts>;
  /** The URL of the cover's picture, if the cover is not public. */
  url?: string | undefined;
  /** The `sizes` attribute. */
  sizes: string;
  /** Loads immediately instead of near the viewport. */
  eager?: boolean;
}

/** A post's cover, or its sky, filling the container. It needs no scripts in the browser. */
export function PostCover({ post, url, sizes, eager }: PostCoverProps) {
  const { cover, cover_alt, cover_width = null, cover_colour, cover_placeholder } = post;
  if (!cover) return <Sky moment={skyOf(post)} seed={post.slug} />;
  const address = publicUrl("covers", cover);
  return (
    <img
      src={url ?? renditionUrl(address, 960)}
      srcSet={url === undefined ? renditionSrcSet(address, cover_width) : undefined}
      sizes={sizes}
      alt={cover_alt ?? ""}
      loading={eager ? "eager" : "lazy"}
      fetchPriority={eager ? "high" : "auto"}
      decoding="async"
      className="block size-full bg-line bg-cover bg-center object-cover"
      style={{
        backgroundColor: cover_colour ?? undefined,
        backgroundImage: cover_placeholder ? `url("${cover_placeholder}")` : undefined,
      }}
    />
  );
}

const HOURS = [6, 9, 17, 19, 21];

/** Returns the moment of a post's sky: on its publication day (UTC), at a local hour derived from the slug. */
function skyOf({ slug, published_at }: Pick<PostSummary, "slug" | "published_at">): Date {
  const day = new Date(published_at);
  const sum = [...slug].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), HOURS[sum % HOURS.length]);
}

import { publicUrl, renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { Sky } from "../../ui/Sky.tsx";
import type { PostCoverFacts, PostSummary } from "./blog.queries.ts";

interface PostCoverProps {
  post: Pick<PostSummary, "slug" | "published_at"> & Partial<PostCoverFacts>;
  /** The address of its cover, where that is not a public one. */
  url?: string | undefined;
  /** As in HTML: how wide it is shown. */
  sizes: string;
  /** Loaded at once rather than when it comes near the window. */
  eager?: boolean;
}

/** The cover of a post, filling its box: a picture, or the sky of its own. It is there without scripts. */
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

/** A moment with a sky of its own for each post, on the same day by every clock. */
function skyOf({ slug, published_at }: Pick<PostSummary, "slug" | "published_at">): Date {
  const day = new Date(published_at);
  const sum = [...slug].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), HOURS[sum % HOURS.length]);
}

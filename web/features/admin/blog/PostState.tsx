import { useTranslation } from "react-i18next";
import { momentText } from "../desk-text.ts";
import { Mark } from "../Facts.tsx";
import { type DeskPost, stateOf } from "./posts.queries.ts";

/** A post's state (draft, scheduled or published) with its date; a dash if the post does not exist. */
export function PostState({ post }: { post: Pick<DeskPost, "published_at"> | undefined }) {
  const { t, i18n } = useTranslation("adminBlog");
  if (!post) return "–";
  const { published_at } = post;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 max-md:justify-end">
      <Mark>{t(`states.${stateOf(post)}`)}</Mark>
      {published_at && (
        <time dateTime={published_at} className="text-sm text-ink-soft">
          {momentText(published_at, i18n.language)}
        </time>
      )}
    </span>
  );
}

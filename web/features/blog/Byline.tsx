import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { PostSummary } from "./blog.queries.ts";

/** A post's author and publication date. */
export function Byline({ post: { author, published_at } }: { post: Pick<PostSummary, "author" | "published_at"> }) {
  const { t, i18n } = useTranslation("blog");
  // In UTC, so that the server and all browsers render the same day.
  const date = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(published_at),
  );
  return (
    <p className="text-sm text-ink-soft">
      <time dateTime={published_at}>{t("byline", { author, date })}</time>
    </p>
  );
}

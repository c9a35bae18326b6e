import { useTranslation } from "react-i18next";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { PostSummary } from "./blog.queries.ts";

/** Who wrote a post, and when it was published. */
export function Byline({ post: { author, published_at } }: { post: Pick<PostSummary, "author" | "published_at"> }) {
  const { t, i18n } = useTranslation("blog");
  // The same day for everybody, and in the page as it was rendered.
  const date = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(published_at),
  );
  return (
    <p className="text-sm text-ink-soft">
      <time dateTime={published_at}>{t("byline", { author, date })}</time>
    </p>
  );
}

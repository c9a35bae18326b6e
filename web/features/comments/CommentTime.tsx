import { useTranslation } from "react-i18next";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { timeAgo } from "../../lib/formatting/time-ago.ts";

/** When something was said, by the clock of whoever reads it; exactly on its title. */
export function CommentTime({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  const date = new Date(at);
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(date);
  return (
    <time dateTime={at} title={exact}>
      {timeAgo(date, useMinute(), locale)}
    </time>
  );
}

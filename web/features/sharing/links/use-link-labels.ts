import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { dayAgo } from "../../../lib/formatting/time-ago.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { stateOf } from "./link-state.ts";
import { COUNTED_OPENINGS, type ShareLink } from "./links.queries.ts";

/** Returns functions that describe a link, each in one line. */
export function useLinkLabels() {
  const { t, i18n } = useTranslation("sharing");
  const locale = localeOf(i18n.language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long" });

  const end = ({ expires_at }: Pick<ShareLink, "expires_at">): string => {
    if (expires_at === null) return t("end.never");
    const at = new Date(expires_at);
    return t(at.getTime() > serverNow() ? "end.until" : "end.over", { date: day.format(at) });
  };

  const openingsText = ({ openings }: Pick<ShareLink, "openings">): string => {
    const [last] = openings;
    if (!last) return t("opened.never");
    const count = openings.reduce((sum, { times }) => sum + times, 0);
    const when = dayAgo(new Date(last.opened_at), new Date(serverNow()), locale);
    return t(openings.length < COUNTED_OPENINGS ? "opened.times" : "opened.more", { count, when });
  };

  return {
    /** Returns the link's name or, without one, a default. */
    name: (link: Pick<ShareLink, "label" | "created_at">, first: boolean): string =>
      link.label || (first ? t("list.first") : t("list.madeOn", { date: day.format(new Date(link.created_at)) })),
    /** Returns the link's rights (`withRights`), kind of secret and expiry date, or why it does not open. */
    summary: (link: ShareLink, withRights = true): string => {
      const state = stateOf(link, serverNow());
      if (state === "unshared") return t("list.unshared");
      if (state === "closed") return t("list.closed");
      if (state === "ended") return end(link);
      const parts = [...(withRights ? [t(`rights.${link.rights}`)] : []), t(`access.${link.asks ?? "open"}`)];
      if (link.expires_at !== null) parts.push(end(link));
      if (!link.allows_download) parts.push(t("list.noDownload"));
      return parts.join(" · ");
    },
    end,
    opened: openingsText,
  };
}

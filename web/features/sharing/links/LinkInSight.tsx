import { useQuery } from "@tanstack/react-query";
import { Check, Copy, Mail, MessageCircle, MessageSquareText, Share2 } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { secretQuery } from "../../../data/link-secret.queries.ts";
import { track } from "../../../lib/browser/analytics.ts";
import { useCopy } from "../../../lib/browser/use-copy.ts";
import { qrCodeQuery } from "../../../lib/qr/qr.queries.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { LinkAccessSettings } from "./LinkAccessSettings.tsx";
import type { ShareLink } from "./links.queries.ts";

interface LinkInSightProps {
  link: ShareLink;
  /** The link's absolute URL. */
  url: string;
  /** The name of the memory or album. */
  name: string;
  /** Whether metal cards open the same memory. */
  cards: boolean;
}

/** Renders everything for sharing a link: URL, secret, QR code, and buttons to send them. */
export function LinkInSight({ link, url, name, cards }: LinkInSightProps) {
  const { t } = useTranslation("sharing");
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-5 sm:grid-cols-[1fr_auto] sm:gap-x-6">
      <div className="grid min-w-0 content-start gap-4">
        <label className="grid gap-1">
          <span className="text-sm font-semibold">{t("link")}</span>
          <input
            ref={field}
            readOnly
            value={url}
            onFocus={({ target }) => target.select()}
            className="min-h-12 min-w-0 rounded-xl border border-edge bg-sunken px-4 text-ellipsis text-ink"
          />
        </label>
        <LinkAccessSettings link={link} cards={cards} />
      </div>
      <SendLink link={link} url={url} name={name} field={field} />
      <QrImage url={url} />
    </div>
  );
}

const shared = (method: string) => track({ name: "share", method });

/**
 * Renders buttons to send the link and its secret as one text, by the system's share sheet, an app or the clipboard.
 */
function SendLink({
  link,
  url,
  name,
  field,
}: Omit<LinkInSightProps, "cards"> & { field: RefObject<HTMLInputElement | null> }) {
  const { t } = useTranslation("sharing");
  const { asks } = link;
  const read = useQuery({ ...secretQuery(supabase, link, requestAsUser), enabled: asks !== null });
  const secret = asks === null ? null : read.data;
  const subject = t("send.subject", { name });
  const text = asks && secret ? t(`send.with.${asks}`, { name, url, secret }) : t("send.text", { name, url });
  const { result, copy } = useCopy(text, field);
  const [failed, setFailed] = useState(false);
  const hasSheet = typeof navigator.share === "function";
  const openSheet = () =>
    navigator.share({ title: subject, text }).then(
      () => {
        setFailed(false);
        shared("sheet");
      },
      (error: unknown) => setFailed(!(error instanceof DOMException && error.name === "AbortError")),
    );
  const encoded = encodeURIComponent(text);
  // Mail programs require CRLF line breaks.
  const body = encodeURIComponent(text.replaceAll("\n", "\r\n"));
  const ways = [
    { name: "whatsApp", icon: MessageCircle, href: `https://wa.me/?text=${encoded}` },
    { name: "mail", icon: Mail, href: `mailto:?subject=${encodeURIComponent(subject)}&body=${body}` },
    { name: "sms", icon: MessageSquareText, href: `sms:?body=${encoded}` },
  ] as const;
  // The buttons are disabled until the secret has loaded.
  const waiting = asks !== null && read.isPending;
  const CopyIcon = result === "copied" ? Check : Copy;
  return (
    <section aria-label={t("send.title")} className="grid gap-2 sm:col-span-2" aria-busy={waiting}>
      {hasSheet && (
        <Button icon={Share2} className="min-h-12" disabled={waiting} onClick={() => void openSheet()}>
          {t("send.sheet")}
        </Button>
      )}
      <Button
        icon={CopyIcon}
        variant={hasSheet ? "quiet" : "primary"}
        className="min-h-12"
        disabled={waiting}
        onClick={() => void copy().then((copied) => copied && shared("link"))}
      >
        {result === "copied" ? t("copied") : t(asks && secret ? `send.copy.${asks}` : "copy")}
      </Button>
      <div className="grid grid-cols-3 gap-2">
        {ways.map(({ name: way, icon: Icon, href }) => (
          <Button key={way} asChild variant="quiet" className="min-h-12 px-2! max-[26rem]:text-sm">
            <a
              {...(!waiting && { href, onClick: () => shared(way) })}
              {...(way === "whatsApp" && { target: "_blank", rel: "noopener noreferrer" })}
              aria-disabled={waiting || undefined}
            >
              <Icon aria-hidden className="size-5 max-[26rem]:hidden" />
              {t(`send.${way}`)}
            </a>
          </Button>
        ))}
      </div>
      {asks && !secret && !waiting && <p className="text-sm text-ink-soft">{t(`send.without.${asks}`)}</p>}
      <p role="status" className={result === "failed" || failed ? "text-sm text-danger-text" : "sr-only"}>
        {result === "copied" && t("copied")}
        {result === "failed" && t("copyFailed")}
        {failed && t("send.failed")}
      </p>
    </section>
  );
}

/** Renders the link as a QR code. */
function QrImage({ url }: { url: string }) {
  const { t } = useTranslation(["sharing", "shareGate"]);
  const code = useQuery(qrCodeQuery(url));
  return (
    <div className="grid size-40 place-content-center justify-self-center sm:col-start-2 sm:row-start-1">
      {code.isPending && <Skeleton className="size-40" />}
      {code.isLoadingError && (
        <p role="alert" className="grid justify-items-center gap-2 text-center text-sm text-danger-text">
          {t("qr.failed")}
          <Button variant="quiet" size="small" onClick={() => code.refetch()}>
            {t("shareGate:open.retry")}
          </Button>
        </p>
      )}
      {code.data && (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(code.data.svg)}`}
          alt={t("qr.alt")}
          width={160}
          height={160}
          className="size-40 rounded-xl border border-line"
        />
      )}
    </div>
  );
}

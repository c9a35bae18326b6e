import { Clock, MapPin, Users, Video } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../data/day.queries.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { Button } from "../../ui/Button.tsx";
import { clock, isElsewhere, momentText } from "./day-times.ts";

interface PartFactsProps {
  part: DayPart;
  /** The address of its livestream, once the reader may see it. */
  stream: string | undefined;
  /** Whether the whole day has passed: what is only of use before it is left out. */
  past: boolean;
  tools?: ReactNode;
  children?: ReactNode;
}

/** A part of the day: when, where, and what people need to know. */
export function PartFacts({ part, stream, past, tools, children }: PartFactsProps) {
  const { t } = useTranslation("day");
  const kind = t(`parts.${part.part}`);
  return (
    <article className="grid gap-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6">
      <header className="flex items-start justify-between gap-2">
        <div className="grid gap-0.5">
          <h4 dir="auto" className="font-serif text-2xl leading-tight wrap-anywhere">
            {part.title}
          </h4>
          {part.part !== "other" && kind !== part.title && <p className="text-ink-soft">{kind}</p>}
          {part.audience === "members" && (
            <p className="flex items-center gap-2 text-ink-soft">
              <Users aria-hidden className="size-4 shrink-0" />
              {t("read.members")}
            </p>
          )}
        </div>
        {tools}
      </header>
      <When part={part} past={past} />
      <Where part={part} past={past} />
      {part.note && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {part.note}
        </p>
      )}
      {!past && <Details part={part} />}
      {part.stream_from !== null && <Livestream part={part} from={part.stream_from} url={stream} />}
      {children && <div>{children}</div>}
    </article>
  );
}

function When({ part, past }: { part: DayPart; past: boolean }) {
  const { t, i18n } = useTranslation("day");
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (part.starts_at === null) return null;
  const elsewhere = !past && isElsewhere(part, own);
  return (
    <div className="flex gap-3">
      <Clock aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
      <div className="grid gap-0.5">
        <p className="text-lg font-semibold tabular-nums">
          <time dateTime={part.begins_at}>{clock(part.starts_at)}</time>
          {part.ends_at && ` ${t("read.until", { time: clock(part.ends_at) })}`}
        </p>
        {part.doors_at && <p>{t("read.doors", { time: clock(part.doors_at) })}</p>}
        {elsewhere && (
          <p className="text-ink-soft">
            {t("read.zone", { zone: part.time_zone.replaceAll("_", " ") })}
            <br />
            {t("read.yours", { time: momentText(part.begins_at, own, i18n.language) })}
          </p>
        )}
      </div>
    </div>
  );
}

function Where({ part: { place, address, map_url }, past }: { part: DayPart; past: boolean }) {
  const { t } = useTranslation("day");
  if (!place && !address && !map_url) return null;
  return (
    <div className="flex gap-3">
      <MapPin aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
      <div className="grid min-w-0 gap-0.5">
        {place && (
          <p dir="auto" className="text-lg font-semibold wrap-anywhere">
            {place}
          </p>
        )}
        {address && (
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {address}
          </p>
        )}
        {map_url && !past && <OutwardLink href={map_url}>{t("read.map")}</OutwardLink>}
      </div>
    </div>
  );
}

const DETAILS = ["directions", "parking", "accessibility", "dress", "gifts", "contact"] as const;

function Details({ part }: { part: DayPart }) {
  const { t } = useTranslation("day");
  const present = DETAILS.filter((name) => part[name] || (name === "gifts" && part.gifts_url));
  if (present.length === 0) return null;
  return (
    <dl className="m-0 grid gap-3">
      {present.map((name) => (
        <div key={name} className="grid gap-0.5">
          <dt className="font-semibold">{t(`read.${name}`)}</dt>
          <dd className="m-0 grid gap-0.5">
            {part[name] && (
              <span dir="auto" className="whitespace-pre-line wrap-anywhere">
                {part[name]}
              </span>
            )}
            {name === "gifts" && part.gifts_url && (
              <OutwardLink href={part.gifts_url}>{t("read.giftsLink")}</OutwardLink>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Livestream({ part, from, url }: { part: DayPart; from: string; url: string | undefined }) {
  const { t, i18n } = useTranslation("day");
  if (url) {
    return (
      <p>
        <Button asChild>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <Video aria-hidden className="size-5 shrink-0" />
            {t("read.stream")}
          </a>
        </Button>
      </p>
    );
  }
  const due = Date.parse(from) <= serverNow();
  return (
    <p className="flex min-h-11 items-center gap-3 text-ink-soft">
      <Video aria-hidden className="size-5 shrink-0" />
      {due ? t("read.streamSoon") : t("read.streamLater", { time: momentText(from, part.time_zone, i18n.language) })}
    </p>
  );
}

const OutwardLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a
    href={href}
    target="_blank"
    rel="noopener noreferrer"
    className="inline-flex min-h-11 items-center justify-self-start font-semibold text-deep underline"
  >
    {children}
  </a>
);

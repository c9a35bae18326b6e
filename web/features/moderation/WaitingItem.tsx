import { AudioLines, Ban, Check, Ellipsis, EyeOff, Flame, Heart, MessageCircle, Play, ScrollText } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { QueueItem } from "../../data/moderation.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { plainText } from "../../lib/formatting/plain-text.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";

interface WaitingItemProps {
  item: QueueItem;
  /** The signed URL of its picture. */
  picture: string | undefined;
  /** Whether the keyboard shortcuts apply to it. */
  current: boolean;
  onCurrent: () => void;
  onShow: () => void;
  /** Undefined if the item is hidden already. */
  onHide?: () => void;
  onBlock?: (hide: boolean) => void;
  ref?: Ref<HTMLElement>;
}

/** A held item with its author, time, link and the manager's actions. */
export function WaitingItem({ item, picture, current, onCurrent, onShow, onHide, onBlock, ref }: WaitingItemProps) {
  const { t, i18n } = useTranslation("moderation");
  const name = item.name || t("someone");
  const when = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(item.created_at),
  );
  const by = item.link_id === null ? "by" : item.link_label ? "byLink" : "byUnnamedLink";
  const text = item.kind === "story" ? plainText(item.words) : item.words;
  return (
    <article
      ref={ref}
      tabIndex={current ? 0 : -1}
      aria-labelledby={`addition-${item.id}`}
      onFocus={onCurrent}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-3xl border border-line bg-raised p-4 shadow-soft outline-none focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-deep sm:grid-cols-[11rem_minmax(0,1fr)] sm:p-5"
    >
      <Sight item={item} picture={picture} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-between gap-4">
        <div className="grid gap-1">
          <h2 dir="auto" id={`addition-${item.id}`} className="font-serif text-xl leading-snug wrap-anywhere">
            {item.kind === "story" && item.title ? item.title : t(`kinds.${kindOf(item)}`)}
          </h2>
          <p className="text-sm text-ink-soft wrap-anywhere">{t(by, { name, when, link: item.link_label ?? "" })}</p>
          {text && (
            <p dir="auto" className="mt-2 line-clamp-6 whitespace-pre-line wrap-anywhere">
              {text}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-1 sm:gap-2">
          <Button icon={Check} className="max-sm:px-3!" onClick={onShow}>
            {t("approve")}
          </Button>
          {onHide && (
            <Button icon={EyeOff} variant="quiet" className="max-sm:px-3!" onClick={onHide}>
              {t("hide")}
            </Button>
          )}
          {onBlock && (
            <Menu trigger={<IconButton icon={Ellipsis} label={t("itemMenu", { name })} />}>
              <MenuItem icon={Ban} tone="danger" onSelect={() => onBlock(true)}>
                {t("block", { name })}
              </MenuItem>
              <MenuItem icon={Ban} tone="danger" onSelect={() => onBlock(false)}>
                {t("blockKeep", { name })}
              </MenuItem>
            </Menu>
          )}
        </div>
      </div>
    </article>
  );
}

const SIGNS = {
  story: ScrollText,
  comment: MessageCircle,
  candle: Flame,
  reaction: Heart,
  image: Heart,
  video: Play,
  audio: AudioLines,
};

function Sight({ item, picture }: Pick<WaitingItemProps, "item" | "picture">) {
  const Sign = SIGNS[kindOf(item)];
  if (!item.media) {
    return (
      <div
        aria-hidden
        className="grid aspect-4/3 place-content-center rounded-2xl bg-sunken text-ink-soft max-sm:hidden"
      >
        <Sign className="size-9" strokeWidth={1.5} />
      </div>
    );
  }
  return (
    <div
      className="relative grid aspect-4/3 place-content-center overflow-hidden rounded-2xl bg-sunken"
      style={{ backgroundColor: item.media.colour ?? undefined }}
    >
      {picture && <img src={renditionUrl(picture, 640)} alt="" className="absolute inset-0 size-full object-contain" />}
      {item.media.type !== "image" && (
        <span className="relative grid size-12 place-content-center rounded-full bg-black/60 text-white">
          {item.media.type === "audio" ? (
            <AudioLines aria-hidden className="size-6" />
          ) : (
            <Play aria-hidden className="size-6" fill="currentColor" />
          )}
        </span>
      )}
    </div>
  );
}

function kindOf({ kind, title, media }: QueueItem): keyof typeof SIGNS {
  if (kind === "media") return media?.type ?? "image";
  return kind === "reaction" && title === "candle" ? "candle" : kind;
}

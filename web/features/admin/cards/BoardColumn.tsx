import { useInfiniteQuery } from "@tanstack/react-query";
import { GripVertical } from "lucide-react";
import type { KeyboardEvent, PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { groupedCode } from "../../../../shared/card.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { type BoardCard, type BoardColumn as Column, columnQuery } from "./board.queries.ts";

interface ColumnProps {
  column: Column;
  find: string;
  /** Whether a card is dragged over the column. */
  isOver: boolean;
  /** Ids of the selected cards, with their columns. */
  chosen: ReadonlyMap<string, Column>;
  onChoose: (id: string, column: Column, chosen: boolean) => void;
  /** Absent if the reader may not move cards. */
  handle?: {
    carried: { id: string; by: { x: number; y: number } } | undefined;
    onTake: (event: PointerEvent, id: string) => void;
    onStep: (card: BoardCard, by: 1 | -1) => void;
  };
}

/** The cards of one production state. */
export function BoardColumn({ column, find, isOver, chosen, onChoose, handle }: ColumnProps) {
  const { t } = useTranslation("adminCards");
  const cards = useInfiniteQuery(columnQuery(supabase, column, find));
  const { data, hasNextPage } = cards;
  return (
    <section
      aria-labelledby={`column-${column}`}
      data-column={column}
      className={classNames(
        "grid min-w-0 content-start gap-3 rounded-3xl border-2 p-3 transition-colors duration-200 ease-out",
        isOver ? "border-deep bg-wash" : "border-transparent bg-sunken",
      )}
    >
      <h2 id={`column-${column}`} className="flex items-baseline justify-between gap-2 px-1 text-lg font-semibold">
        {t(`columns.${column}`)}
        {data && <span className="text-sm font-normal text-ink-soft">{`${data.length}${hasNextPage ? "+" : ""}`}</span>}
      </h2>
      {cards.isPending && <Skeleton className="h-28 rounded-2xl" />}
      {cards.isLoadingError && !data && <DeskProblem retry={cards.refetch} />}
      {data?.length === 0 && <p className="px-1 py-4 text-ink-soft">{t("none")}</p>}
      <ul className="m-0 grid list-none gap-3 p-0">
        {data?.map((card) => (
          <li
            key={card.id}
            data-card={card.id}
            style={
              handle?.carried?.id === card.id
                ? { translate: `${handle.carried.by.x}px ${handle.carried.by.y}px` }
                : undefined
            }
            className={classNames(
              "grid grid-cols-[auto_1fr_auto] items-start gap-x-1 rounded-2xl border border-line bg-raised py-2 pe-1",
              handle?.carried?.id === card.id && "pointer-events-none relative z-20 opacity-90 shadow-lifted",
            )}
          >
            <label className="grid size-11 cursor-pointer place-content-center">
              <input
                type="checkbox"
                checked={chosen.has(card.id)}
                aria-label={t("choose", { code: card.code })}
                onChange={({ target }) => onChoose(card.id, column, target.checked)}
                className="size-5 accent-deep"
              />
            </label>
            <CardFacts card={card} />
            {handle && (
              <IconButton
                label={t("move", { code: card.code })}
                onPointerDown={(event) => handle.onTake(event, card.id)}
                onKeyDown={(event: KeyboardEvent) => {
                  const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key as "ArrowLeft"];
                  if (by === undefined) return;
                  event.preventDefault();
                  handle.onStep(card, by);
                }}
                className="cursor-grab touch-none"
              >
                <GripVertical aria-hidden className="size-5" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <LoadMore pages={cards} />
    </section>
  );
}

function CardFacts({ card: { code, name, dates, finish, order, delivery } }: { card: BoardCard }) {
  const { t } = useTranslation("adminCards");
  const going = [delivery?.carrier, delivery?.tracking_number].filter(Boolean).join(" ");
  return (
    <div className="grid min-w-0 gap-0.5 py-2 wrap-anywhere">
      <span className="font-semibold">{name || t("noName")}</span>
      <span className="text-sm text-ink-soft">{[dates, t(`finishes.${finish}`)].filter(Boolean).join(" · ")}</span>
      <span className="font-mono text-sm">{groupedCode(code)}</span>
      {order && (
        <Link
          to={paths.admin("orders", order.id)}
          {...ROW_LINK}
          className="inline-flex min-h-8 items-center justify-self-start text-sm"
        >
          {order.number}
        </Link>
      )}
      {going && <span className="text-sm text-ink-soft">{going}</span>}
      {order?.status === "disputed" && <span className="text-sm font-semibold text-danger-text">{t("disputed")}</span>}
      {!delivery?.address && <span className="text-sm font-semibold text-danger-text">{t("noAddress")}</span>}
    </div>
  );
}

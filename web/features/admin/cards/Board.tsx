import { type PointerEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFind } from "../../../lib/browser/use-find.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { useHeldPointer } from "../../../ui/use-drag.ts";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import { Bench } from "./Bench.tsx";
import { BoardColumn } from "./BoardColumn.tsx";
import { COLUMNS, type BoardColumn as Column, useBoardLive, useCardFile, useMark } from "./board.queries.ts";
import { SendCards } from "./SendCards.tsx";

/** The fulfilment board: cards by production state, moved by pointer or keyboard, with packs and labels. */
export function Board() {
  const { t } = useTranslation("adminCards");
  const { text, find, setText } = useFind();
  const mayMove = useUser().role !== "support";
  const [chosen, setChosen] = useState<ReadonlyMap<string, Column>>(new Map());
  const [sending, setSending] = useState<readonly string[]>();
  const [said, setSaid] = useState("");
  const mark = useMark();
  useBoardLive(supabase);
  const forget = () => setChosen(new Map());
  const failed = ({ message }: Error) => toast({ tone: "problem", title: message });

  const move = (ids: readonly string[], making: Column, undoTo?: Column) => {
    if (making === "sent") return setSending(ids);
    mark.mutate(
      { of: ids, making, back: undoTo !== undefined && COLUMNS.indexOf(making) < COLUMNS.indexOf(undoTo) },
      {
        onSuccess: ({ moved }) => {
          const title = t("moved", { count: moved, column: t(`columns.${making}`) });
          setSaid(title);
          forget();
          toast({
            tone: "success",
            title,
            ...(undoTo && {
              action: {
                label: t("undo"),
                onSelect: () => mark.mutate({ of: ids, making: undoTo, back: true }, { onError: failed }),
              },
            }),
          });
        },
        onError: failed,
      },
    );
  };
  const { carried, take } = useCarry((id, column) => {
    const from = document.querySelector(`[data-card="${id}"]`)?.closest<HTMLElement>("[data-column]")?.dataset.column;
    if (column !== from) move([id], column as Column, from as Column | undefined);
  });

  return (
    <div className="grid gap-5">
      <SearchField label={t("find")} value={text} onChange={setText} className="max-w-xl" />
      {mayMove && <Bench />}
      <Chosen chosen={chosen} mayMove={mayMove} onMove={move} onDone={forget} />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {COLUMNS.map((column) => (
          <BoardColumn
            key={column}
            column={column}
            find={find}
            isOver={carried?.over === column}
            chosen={chosen}
            onChoose={(id, of, isChosen) =>
              setChosen((before) => {
                const after = new Map(before);
                if (isChosen) after.set(id, of);
                else after.delete(id);
                return after;
              })
            }
            {...(mayMove && {
              handle: {
                carried,
                onTake: take,
                onStep: (card, by) => {
                  const to = COLUMNS[COLUMNS.indexOf(column) + by];
                  if (to) move([card.id], to, column);
                },
              },
            })}
          />
        ))}
      </div>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
      <SendCards
        cards={sending}
        onClose={() => setSending(undefined)}
        onSent={(count) => {
          toast({ tone: "success", title: t("moved", { count, column: t("columns.sent") }) });
          forget();
        }}
      />
    </div>
  );
}

interface ChosenProps {
  chosen: ReadonlyMap<string, Column>;
  mayMove: boolean;
  onMove: (ids: readonly string[], making: Column) => void;
  onDone: () => void;
}

/** The actions on the selected cards. */
function Chosen({ chosen, mayMove, onMove, onDone }: ChosenProps) {
  const { t } = useTranslation("adminCards");
  const [used, setUsed] = useState("0");
  const pack = useCardFile("engraver-pack");
  const labels = useCardFile("card-labels");
  const ids = [...chosen.keys()];
  const inColumns = (...columns: Column[]) => ids.filter((id) => columns.some((column) => column === chosen.get(id)));
  const toEngrave = inColumns("ordered", "engraved");
  const toSend = inColumns("engraved");
  const sentCards = inColumns("sent");
  const failed = { onError: ({ message }: Error) => toast({ tone: "problem", title: message }) };
  if (ids.length === 0) return <p className="text-ink-soft">{t("hint")}</p>;
  return (
    <section
      aria-label={t("chosen", { count: ids.length })}
      className="grid gap-3 rounded-3xl border border-line bg-raised p-4 sm:p-5"
    >
      <p className="font-semibold">{t("chosen", { count: ids.length })}</p>
      <div className="flex flex-wrap items-end gap-3">
        {mayMove && toEngrave.length > 0 && (
          <Button
            aria-busy={pack.isPending}
            onClick={() => pack.isPending || pack.mutate({ cards: toEngrave }, { onSuccess: onDone, ...failed })}
          >
            {t("pack", { count: toEngrave.length })}
          </Button>
        )}
        {mayMove && toSend.length > 0 && (
          <Button variant="quiet" onClick={() => onMove(toSend, "sent")}>
            {t("send", { count: toSend.length })}
          </Button>
        )}
        {mayMove && sentCards.length > 0 && (
          <Button variant="quiet" onClick={() => onMove(sentCards, "returned")}>
            {t("takeBack", { count: sentCards.length })}
          </Button>
        )}
        <TextField
          label={t("used")}
          type="number"
          min={0}
          max={23}
          value={used}
          onChange={({ target }) => setUsed(target.value)}
          className="w-44"
        />
        <Button
          variant="quiet"
          aria-busy={labels.isPending}
          onClick={() =>
            labels.isPending ||
            labels.mutate({ cards: ids, used: Math.min(23, Math.max(0, Math.trunc(Number(used)) || 0)) }, failed)
          }
        >
          {t("labels", { count: ids.length })}
        </Button>
        <Button variant="plain" onClick={onDone}>
          {t("none_chosen")}
        </Button>
      </div>
      {toEngrave.length > 0 && mayMove && <p className="text-sm text-ink-soft">{t("packHint")}</p>}
    </section>
  );
}

interface Carried {
  id: string;
  pointer: number;
  /** The distance moved so far, in CSS pixels. */
  by: { x: number; y: number };
  from: { x: number; y: number };
  over: string | undefined;
}

/** Drags a card over columns (elements with `data-column`) and reports the column it is dropped in. */
function useCarry(onDrop: (id: string, column: string) => void) {
  const [carried, setCarried] = useState<Carried>();
  useHeldPointer(carried?.pointer, {
    onMove({ x, y }) {
      const over = document
        .elementsFromPoint(x, y)
        .map((element) => element.closest<HTMLElement>("[data-column]")?.dataset.column)
        .find(Boolean);
      setCarried((card) => card && { ...card, over, by: { x: x - card.from.x, y: y - card.from.y } });
    },
    onUp() {
      setCarried(undefined);
      if (carried?.over !== undefined) onDrop(carried.id, carried.over);
    },
    onCancel: () => setCarried(undefined),
  });
  const isHeld = carried !== undefined;
  useEffect(() => {
    if (!isHeld) return;
    const leave = (event: KeyboardEvent) => event.key === "Escape" && setCarried(undefined);
    window.addEventListener("keydown", leave);
    return () => window.removeEventListener("keydown", leave);
  }, [isHeld]);
  return {
    carried,
    take(event: PointerEvent, id: string) {
      if (event.button !== 0 || !event.isPrimary) return;
      const from = { x: event.clientX, y: event.clientY };
      setCarried({ id, pointer: event.pointerId, from, by: { x: 0, y: 0 }, over: undefined });
    },
  };
}

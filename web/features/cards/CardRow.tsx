import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { engravedLink, groupedCode } from "../../../shared/card.ts";
import { useUndoProblem } from "../../actions/undo-problem.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { MetalCard } from "../../media/card-face/MetalCard.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Unbroken } from "../../ui/Unbroken.tsx";
import { type MetalCardRow, useChangeCard, useReleaseCard } from "./cards.queries.ts";
import { MemoryChoice } from "./MemoryChoice.tsx";
import { useCardMemories } from "./use-card-memories.ts";

/** A card: its picture, target, state and actions. */
export function CardRow({ card, userId }: { card: MetalCardRow; userId: string }) {
  const { t } = useTranslation("ownCards");
  const [asks, ask] = useState<"memory" | "gift">();
  const { delivery, memory } = card;
  const code = groupedCode(card.code);
  const opens = memory?.person_name ?? t(card.memory_id ? "mine.opensHidden" : "mine.opensNothing");
  const usable = card.making === "engraved" || card.making === "sent";
  return (
    <li className="@container rounded-3xl border border-line bg-raised p-4 sm:p-6">
      <div className="grid gap-x-4 gap-y-3 @min-[14rem]:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-7">
        <MetalCard engraving={card} link={engravedLink(location.origin, card.code)} className="w-22 sm:w-28" />
        <div className="grid min-w-0 content-start gap-3">
          <div className="flex items-start justify-between gap-2">
            <div className="min-w-0">
              <h2 dir="auto" className="font-serif text-2xl leading-snug wrap-anywhere">
                {card.name || t("mine.unnamed")}
              </h2>
              <p className="text-sm text-ink-soft">
                <Unbroken text={t("mine.code", { code })} part={code} />
              </p>
            </div>
            <CardMenu card={card} userId={userId} onMemory={() => ask("memory")} onGive={() => ask("gift")} />
          </div>
          <p className="flex flex-wrap gap-2 text-sm font-semibold">
            <span className="rounded-full bg-sunken px-3 py-1">{t(`making.${card.making}`)}</span>
            <span className="rounded-full bg-sunken px-3 py-1">{t(`state.${card.state}`)}</span>
          </p>
          <p className="wrap-anywhere">
            <span className="text-ink-soft">{t("mine.opens")}: </span>
            {memory ? <Link to={paths.memory(memory.id)}>{opens}</Link> : opens}
          </p>
          {card.making === "sent" && delivery && (delivery.carrier || delivery.tracking_url) && (
            <p className="flex flex-wrap gap-x-4">
              <span>{t("mine.tracking", { carrier: delivery.carrier, number: delivery.tracking_number })}</span>
              {delivery.tracking_url && (
                <a href={delivery.tracking_url} target="_blank" rel="noreferrer">
                  {t("mine.track")}
                </a>
              )}
            </p>
          )}
          <div className="flex flex-wrap gap-2 max-sm:@min-[14rem]:-ms-26">
            {!card.blocked && (
              <Button variant="quiet" size="small" onClick={() => ask("memory")}>
                {t("mine.change")}
              </Button>
            )}
            {card.making === "ordered" && (
              <Button asChild variant="quiet" size="small">
                <Link to={paths.card(card.id)}>{t("mine.changeWords")}</Link>
              </Button>
            )}
          </div>
        </div>
      </div>
      {asks === "memory" && <ChooseMemory card={card} userId={userId} onClose={() => ask(undefined)} />}
      {asks === "gift" && usable && <GiveAway card={card} userId={userId} onClose={() => ask(undefined)} />}
    </li>
  );
}

interface GiveAwayProps {
  card: MetalCardRow;
  userId: string;
  onClose: () => void;
}

/** Confirms giving a card away, and shows its activation code once. */
function GiveAway({ card, userId, onClose }: GiveAwayProps) {
  const { t } = useTranslation("ownCards");
  const release = useReleaseCard(supabase, userId);
  return (
    <Dialog
      title={t("give.title")}
      description={release.data ? undefined : t("give.text")}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="grid gap-4" aria-live="polite">
        {release.data ? (
          <>
            <p className="font-semibold">{t("give.secret")}</p>
            <p className="rounded-2xl bg-wash px-4 py-4 text-center font-mono text-2xl tracking-widest wrap-anywhere">
              {release.data}
            </p>
            <p className="text-ink-soft">{t("give.once")}</p>
          </>
        ) : (
          <>
            {release.isError && <p role="alert">{t("give.failed")}</p>}
            <Button variant="danger" disabled={release.isPending} onClick={() => release.mutate(card.id)}>
              {t("give.do")}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

interface CardMenuProps {
  card: MetalCardRow;
  userId: string;
  onMemory: () => void;
  onGive: () => void;
}

/** A card's actions. All can be undone except giving it away, which asks for confirmation. */
function CardMenu({ card, userId, onMemory, onGive }: CardMenuProps) {
  const { t } = useTranslation("ownCards");
  const { mutate, mutateAsync } = useChangeCard(supabase, userId);
  const undoFailed = useUndoProblem();
  const failed = () => toast({ title: t("mine.changeFailed"), tone: "problem" });
  const block = (blocked: MetalCardRow["blocked"]) =>
    mutate(
      { id: card.id, blocked },
      {
        onError: failed,
        onSuccess: () =>
          toast({
            title: t(blocked ? "mine.blocked" : "mine.unblocked"),
            action: {
              label: t("mine.undo"),
              onSelect: () =>
                void mutateAsync({ id: card.id, blocked: card.blocked, over: { blocked } }).catch((error) =>
                  undoFailed(error, failed),
                ),
            },
          }),
      },
    );
  const inHand = card.making === "engraved" || card.making === "sent";
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={t("mine.menu", { code: groupedCode(card.code) })} />}>
      {card.blocked ? (
        <MenuItem onSelect={() => block(null)}>{t(card.blocked === "lost" ? "mine.found" : "mine.enable")}</MenuItem>
      ) : (
        <>
          <MenuItem onSelect={onMemory}>{t("mine.change")}</MenuItem>
          <MenuItem onSelect={() => block("disabled")}>{t("mine.disable")}</MenuItem>
          {inHand && <MenuItem onSelect={() => block("lost")}>{t("mine.lost")}</MenuItem>}
        </>
      )}
      {inHand && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={onGive}>{t("mine.give")}</MenuItem>
        </>
      )}
    </Menu>
  );
}

interface ChooseMemoryProps {
  card: MetalCardRow;
  userId: string;
  onClose: () => void;
}

/** Changes the memory that a card opens, with an undo. */
function ChooseMemory({ card, userId, onClose }: ChooseMemoryProps) {
  const { t } = useTranslation("ownCards");
  const [chosen, choose] = useState(card.memory_id);
  const { memories, search } = useCardMemories(userId, chosen);
  const change = useChangeCard(supabase, userId);
  const undoFailed = useUndoProblem();
  // A promise, because the dialog is gone by then.
  const undo = () =>
    void change
      .mutateAsync({ id: card.id, memory_id: card.memory_id, over: { memory_id: chosen } })
      .catch((error) => undoFailed(error, () => toast({ title: t("mine.changeFailed"), tone: "problem" })));
  const save = () => {
    const name = memories?.find(({ id }) => id === chosen)?.person_name;
    if (chosen === card.memory_id) return onClose();
    change.mutate(
      { id: card.id, memory_id: chosen },
      {
        onSuccess: () => {
          onClose();
          toast({
            title: name === undefined ? t("mine.cleared") : t("mine.changed", { name }),
            action: { label: t("mine.undo"), onSelect: undo },
          });
        },
      },
    );
  };
  return (
    <Dialog title={t("mine.change")} open onOpenChange={(open) => !open && onClose()}>
      {memories?.length === 0 && !search ? (
        <div className="grid justify-items-start gap-4">
          <p>{t("mine.noMemories")}</p>
          <Button asChild>
            <Link to={paths.newMemory()}>{t("mine.createMemory")}</Link>
          </Button>
        </div>
      ) : (
        <Form
          error={change.error && new Error(t("mine.changeFailed"))}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <MemoryChoice memories={memories} search={search} value={chosen} onChange={choose} />
          <SubmitButton busy={change.isPending}>{t("mine.choose")}</SubmitButton>
        </Form>
      )}
    </Dialog>
  );
}

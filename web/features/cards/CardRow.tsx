import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { engravedLink, groupedCode } from "../../../shared/card.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { CardMenu } from "./CardMenu.tsx";
import { ChooseMemory } from "./ChooseMemory.tsx";
import type { MetalCardRow } from "./cards.queries.ts";
import { MetalCard } from "./face/MetalCard.tsx";
import { GiveAway } from "./GiveAway.tsx";

/** One card: its picture, what it opens, how far it is, and what can be done with it. */
export function CardRow({ card, userId }: { card: MetalCardRow; userId: string }) {
  const { t } = useTranslation("cards");
  const [asks, ask] = useState<"memory" | "gift">();
  const { delivery, memory } = card;
  const opens = memory?.person_name ?? t(card.memory_id ? "mine.opensHidden" : "mine.opensNothing");
  const usable = card.making === "engraved" || card.making === "sent";
  return (
    <li className="grid grid-cols-[5.5rem_1fr] gap-x-4 gap-y-3 rounded-3xl border border-line bg-raised p-4 sm:grid-cols-[7rem_1fr] sm:gap-x-7 sm:p-6">
      <MetalCard engraving={card} link={engravedLink(location.origin, card.code)} />
      <div className="grid min-w-0 content-start gap-3">
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <h2 className="font-serif text-2xl leading-snug wrap-anywhere">{card.name || t("mine.unnamed")}</h2>
            <p className="text-sm text-ink-soft min-[22.5rem]:whitespace-nowrap">
              {t("mine.code", { code: groupedCode(card.code) })}
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
        <div className="flex flex-wrap gap-2 max-sm:-ms-[6.5rem]">
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
      {asks === "memory" && <ChooseMemory card={card} userId={userId} onClose={() => ask(undefined)} />}
      {asks === "gift" && usable && <GiveAway card={card} userId={userId} onClose={() => ask(undefined)} />}
    </li>
  );
}

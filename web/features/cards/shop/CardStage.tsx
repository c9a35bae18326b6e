import { useTranslation } from "react-i18next";
import type { Engraving } from "../../../../shared/card.ts";
import { paths } from "../../../paths.ts";
import type { CardMemory } from "../cards.queries.ts";
import { MetalCard } from "../face/MetalCard.tsx";

interface CardStageProps {
  engraving: Engraving;
  /** What the code in the picture opens; us where none is chosen. */
  memory: CardMemory | undefined;
}

/** The card in the light, as large as there is room. */
export function CardStage({ engraving, memory }: CardStageProps) {
  const { t } = useTranslation("cards");
  const path = memory ? paths.shared(memory.share_id) : paths.start();
  return (
    <figure className="card-stage m-0 grid justify-items-center gap-6 overflow-hidden rounded-3xl border border-line px-6 py-10 sm:py-14 lg:sticky lg:top-24">
      <MetalCard
        engraving={engraving}
        link={new URL(path, location.origin).href}
        turns
        className="w-[min(15rem,70vw)] sm:w-72 lg:w-80"
      />
      <figcaption className="max-w-80 text-center text-sm text-ink-soft">
        {memory ? t("shop.opensMemory", { name: memory.person_name }) : t("shop.opensUs")}
      </figcaption>
    </figure>
  );
}

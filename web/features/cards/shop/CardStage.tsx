import type { Engraving } from "../../../../shared/card.ts";
import { MetalCard } from "../face/MetalCard.tsx";

interface CardStageProps {
  engraving: Engraving;
  /** What the code in the picture leads to, and what is said about it. */
  link: string;
  says: string;
}

/** The card in the light, as large as there is room. */
export function CardStage({ engraving, link, says }: CardStageProps) {
  return (
    <figure className="card-stage m-0 grid justify-items-center gap-6 overflow-hidden rounded-3xl border border-line px-6 py-10 sm:py-14 lg:sticky lg:top-24">
      <MetalCard engraving={engraving} link={link} turns className="w-[min(15rem,70vw)] sm:w-72 lg:w-80" />
      <figcaption className="max-w-80 text-center text-sm text-ink-soft">{says}</figcaption>
    </figure>
  );
}

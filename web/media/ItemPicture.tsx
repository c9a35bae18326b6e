import { Engraving } from "../../shared/card.ts";
import { MetalCard } from "./card-face/MetalCard.tsx";
import { PlanSky } from "./PlanSky.tsx";

const PLAIN: Engraving = { name: "", dates: "", finish: "steel", language: "en" };

/** The engraving in the details of a cart or order line; a plain card if none is chosen yet. */
export function engravingOf(details: unknown): Engraving {
  const engraving =
    typeof details === "object" && details !== null && "engraving" in details ? details.engraving : undefined;
  return Engraving.safeParse(engraving).data ?? PLAIN;
}

interface ItemPictureProps {
  /** The id of a plan; null for a metal card. */
  plan: string | null;
  /** The stored details of the line. */
  details: unknown;
}

/** A small picture of an article: the engraved card, or the plan's sky. */
export const ItemPicture = ({ plan, details }: ItemPictureProps) => (
  <span
    aria-hidden
    className="card-stage grid size-16 shrink-0 place-items-center overflow-hidden rounded-2xl border border-line sm:size-24"
  >
    {plan === null ? (
      <MetalCard engraving={engravingOf(details)} link={location.origin} className="w-8 sm:w-13" />
    ) : (
      <PlanSky plan={plan} className="size-full" />
    )}
  </span>
);

import { Engraving } from "../../shared/card.ts";
import { Sky } from "../ui/Sky.tsx";
import { MetalCard } from "./card-face/MetalCard.tsx";

/** The hour of a plan's sky: the longer a plan lasts, the later its day. */
const HOURS: Record<string, number> = {
  "skies-starter": 6,
  "skies-memories": 9,
  "skies-pro": 17.5,
  "skies-master": 20.5,
};

/** The sky that stands for a plan, the same wherever the plan is shown. */
export function PlanSky({ plan, className }: { plan: string; className?: string }) {
  return <Sky moment={hourOf(plan)} seed={plan} className={className} />;
}

const moments = new Map<string, Date>();
function hourOf(plan: string): Date {
  const hour = HOURS[plan] ?? 12;
  const moment = moments.get(plan) ?? new Date(2026, 5, 21, Math.floor(hour), (hour % 1) * 60);
  moments.set(plan, moment);
  return moment;
}

const PLAIN: Engraving = { name: "", dates: "", finish: "steel", language: "en" };

/** The engraving among what a cart or an order keeps about a line; a plain card where none is chosen yet. */
export function engravingOf(details: unknown): Engraving {
  const given =
    typeof details === "object" && details !== null && "engraving" in details ? details.engraving : undefined;
  return Engraving.safeParse(given).data ?? PLAIN;
}

interface ItemPictureProps {
  /** The id of a plan; null for a metal card. */
  plan: string | null;
  /** What is kept about the line. */
  details: unknown;
}

/** A small picture of what is bought, beside its name: the card as it will be engraved, or the plan's sky. */
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

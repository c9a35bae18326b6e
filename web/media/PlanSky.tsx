import { Sky } from "../ui/Sky.tsx";

/** The time of day of a plan's sky: later for longer plans. */
const HOURS: Record<string, number> = {
  "skies-starter": 6,
  "skies-memories": 9,
  "skies-pro": 17.5,
  "skies-master": 20.5,
};

/** The sky that represents a plan everywhere. */
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

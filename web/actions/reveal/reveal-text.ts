import { dateFormat } from "../../../shared/date-format.ts";
import { localTimeIn } from "../../../shared/zoned-time.ts";
import { localeOf } from "../../lib/formatting/locale.ts";

/** Formats a moment in a zone with its weekday, e.g. "Sunday, 10 May at 10:00". */
export const revealTimeText = (at: string, zone: string, language: string): string =>
  dateFormat(localeOf(language), {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  }).format(new Date(at));

/** Whether clocks in the zones show different times at this moment. */
export const differs = (at: string, zone: string, other: string): boolean =>
  localTimeIn(zone, new Date(at)) !== localTimeIn(other, new Date(at));

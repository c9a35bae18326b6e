import { plausibleSeconds } from "../../../shared/file-numbers.ts";

/** Formats seconds like media players: `0:07`, `12:03`, `1:02:03`. */
export function writtenDuration(seconds: number): string {
  const whole = Math.round(plausibleSeconds(seconds) ?? 0);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

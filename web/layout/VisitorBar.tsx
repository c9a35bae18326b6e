import { HeroBar } from "../features/home/HeroBar.tsx";
import { useSession } from "../lib/session/session.ts";

/** Renders the bar that replaces the header for visitors on some pages (Spec §2). */
export function VisitorBar() {
  const { state } = useSession();
  return state === "signed out" ? <HeroBar /> : null;
}

import { HeroBar } from "../features/home/HeroBar.tsx";
import { useSession } from "../lib/session/session.ts";

/** The bar of pages where visitors see no header (Spec §2). */
export function VisitorBar() {
  const { state } = useSession();
  return state === "signed out" ? <HeroBar /> : null;
}

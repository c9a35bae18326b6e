import { Flower2, Heart, type LucideIcon, Smile } from "lucide-react";
import type { Kind } from "./comment.ts";
import { Flame } from "./Flame.tsx";

const ICONS: Record<Exclude<Kind, "candle" | "hug">, { Icon: LucideIcon; colour: string }> = {
  heart: { Icon: Heart, colour: "text-[#c2415d] dark:text-[#ff9db0]" },
  flower: { Icon: Flower2, colour: "text-[#8a4fa8] dark:text-[#dcaef2]" },
  smile: { Icon: Smile, colour: "text-amber" },
};

/** The icon of a kind of reaction. */
export function KindIcon({ kind, className = "size-5" }: { kind: Kind; className?: string }) {
  if (kind === "candle") return <Flame lit className={className} />;
  if (kind === "hug") return <Hug className={`${className} text-deep`} />;
  const { Icon, colour } = ICONS[kind];
  return <Icon aria-hidden className={`${className} ${colour}`} />;
}

/** Two people hugging. */
function Hug({ className }: { className: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      <circle cx="8.5" cy="6" r="3" />
      <circle cx="15.5" cy="6" r="3" />
      <path d="M3 20v-4a5 5 0 0 1 5-5h3.5a3 3 0 0 1 0 6H8" />
      <path d="M21 20v-4a5 5 0 0 0-5-5h-1" />
    </svg>
  );
}

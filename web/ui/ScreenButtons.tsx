import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface ScreenButtonsProps {
  visible: boolean;
  buttons: readonly { icon: LucideIcon; label: string; onClick: () => void }[];
  /** Their place on the screen. */
  className: string;
  /** Words after the buttons. */
  children?: ReactNode;
}

/** Buttons over a picture that fills the screen, shown while somebody is at it. */
export function ScreenButtons({ visible, buttons, className, children }: ScreenButtonsProps) {
  return (
    <div
      className={classNames(
        "absolute flex items-center gap-0.5 rounded-full bg-black/65 p-1 text-white transition-opacity duration-200 focus-within:opacity-100 motion-reduce:transition-none",
        visible ? "opacity-100" : "opacity-0",
        className,
      )}
    >
      {buttons.map(({ icon: Icon, label, onClick }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          onClick={onClick}
          className="grid size-11 cursor-pointer place-content-center rounded-full hover:bg-white/20 focus-visible:outline-3 focus-visible:outline-white"
        >
          <Icon aria-hidden className="size-6" />
        </button>
      ))}
      {children}
    </div>
  );
}

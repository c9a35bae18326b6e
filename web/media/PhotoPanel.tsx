import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "../ui/class-names.ts";
import { IconButton } from "../ui/IconButton.tsx";

interface PhotoPanelProps {
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}

/** The panel beside an open photo, or below it on narrow screens, where the photo shrinks to stay in view. */
export function PhotoPanel({ title, closeLabel, onClose, children }: PhotoPanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        "z-10 grid content-start gap-5 overflow-y-auto bg-raised p-5 text-ink",
        "max-lg:row-start-4 max-lg:max-h-[60dvh] max-lg:rounded-t-3xl",
        "max-lg:pb-[max(1.25rem,env(safe-area-inset-bottom))]",
        "lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:p-6",
      )}
    >
      <div className="flex items-center justify-between">
        <h2 id={id} className="font-serif text-2xl">
          {title}
        </h2>
        <IconButton icon={X} label={closeLabel} onClick={onClose} />
      </div>
      {children}
    </section>
  );
}

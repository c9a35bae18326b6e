import { ChevronDown, type LucideIcon } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "../../../ui/class-names.ts";

interface SettingProps {
  icon: LucideIcon;
  title: string;
  /** How it stands now. */
  state: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** One setting of a link: how it stands in a line, and under it, once pressed, what can be chosen. */
export function Setting({ icon: Icon, title, state, open, onToggle, children }: SettingProps) {
  const id = useId();
  return (
    <section aria-labelledby={`${id}-title`}>
      <h4>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
          className="-mx-2 flex min-h-14 w-[calc(100%+1rem)] cursor-pointer items-center gap-3 rounded-xl px-2 py-2 text-start transition-colors duration-200 ease-out hover:bg-wash"
        >
          <Icon aria-hidden className="size-5 shrink-0 text-deep" />
          <span className="grid grow">
            <span id={`${id}-title`} className="font-semibold">
              {title}
            </span>
            <span className="text-sm text-ink-soft">{state}</span>
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              "size-5 shrink-0 text-ink-soft transition-transform duration-200 ease-out",
              open && "rotate-180",
            )}
          />
        </button>
      </h4>
      {open && (
        <div id={id} className="grid gap-4 pt-2 pb-4">
          {children}
        </div>
      )}
    </section>
  );
}

import { Ellipsis, type LucideIcon } from "lucide-react";
import { Fragment, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";

/** An action on the whole memory. */
export interface Tool {
  icon: LucideIcon;
  label: string;
  tone?: "danger";
  /** Whether wide screens show it as a button. */
  frequent?: boolean;
  onSelect: () => void;
}

/** The actions for wide screens: frequent ones as buttons, the others in a menu. */
export function ToolMenu({ tools }: { tools: readonly Tool[] }) {
  const { t } = useTranslation("memories");
  const [frequent, others] = [tools.filter((tool) => tool.frequent), tools.filter((tool) => !tool.frequent)];
  return (
    <>
      {frequent.map(({ icon, label, onSelect }) => (
        <Button key={label} icon={icon} variant="cover" onClick={onSelect}>
          {label}
        </Button>
      ))}
      <Menu
        align="start"
        trigger={
          <IconButton label={t("page.more")} variant="cover">
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
        }
      >
        {others.map(({ icon, label, onSelect, tone }) => (
          <Fragment key={label}>
            {tone && <MenuSeparator />}
            <MenuItem icon={icon} onSelect={onSelect} tone={tone}>
              {label}
            </MenuItem>
          </Fragment>
        ))}
      </Menu>
    </>
  );
}

/**
 * The actions in a sheet from below, for phones and tablets. It closes first, so that what an action opens returns the
 * focus to the button.
 */
export function ToolSheet({ tools, waiting }: { tools: readonly Tool[]; waiting: boolean }) {
  const { t } = useTranslation("memories");
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<() => void>(undefined);
  const onClosed = () => {
    button.current?.focus({ preventScroll: true });
    chosen.current?.();
    chosen.current = undefined;
  };
  return (
    <span className="relative">
      <IconButton
        ref={button}
        label={t("page.more")}
        variant="cover"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden className="size-5" />
      </IconButton>
      {waiting && <span aria-hidden className="absolute top-0 right-0 size-3 rounded-full bg-teal" />}
      <Dialog title={t("page.actions")} open={open} onOpenChange={setOpen} onClosed={onClosed}>
        <ul className="-mx-3 -mt-2 grid">
          {tools.map(({ icon: Icon, label, onSelect, tone }) => (
            <li key={label} className={classNames(tone && "mt-2 border-t border-line pt-2")}>
              <button
                type="button"
                onClick={() => {
                  chosen.current = onSelect;
                  setOpen(false);
                }}
                className={classNames(
                  "flex min-h-12 w-full cursor-pointer items-center gap-4 rounded-xl px-3 text-start hover:bg-wash",
                  tone ? "text-danger-text" : "hover:text-deep",
                )}
              >
                <Icon aria-hidden className="size-5 shrink-0" />
                {label}
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </span>
  );
}

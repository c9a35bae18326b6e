import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import { type ReactNode, useCallback, useState } from "react";
import { useCloseOnBack } from "../lib/browser/close-on-back.ts";
// Remembers the menu's button, which gets the focus back from what is opened in the menu.
import "../lib/browser/return-focus.ts";
import { classNames } from "./class-names.ts";
import { withIcon } from "./with-icon.tsx";

interface MenuProps {
  /** The one button that opens the menu. */
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  /** Moves the focus when the menu closes. By default the button gets it back. */
  onClosed?: () => void;
  children: ReactNode;
}

export function Menu({ trigger, align = "end", onClosed, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  useCloseOnBack(open, () => setOpen(false));
  // Rendered inside the landmark or dialog of its button, where screen readers expect the menu.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const findPlace = useCallback((button: HTMLElement | null) => {
    setPlace(button?.closest<HTMLElement>("[role=dialog], main, header, footer") ?? null);
  }, []);
  return (
    <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild ref={findPlace}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content
          align={align}
          sideOffset={8}
          collisionPadding={8}
          onCloseAutoFocus={onClosed && movingFocus(onClosed)}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-(--radix-dropdown-menu-content-available-width) min-w-52 overflow-y-auto overscroll-contain rounded-2xl border border-line bg-raised p-2 text-ink shadow-lifted motion-safe:animate-appear"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const movingFocus = (move: () => void) => (event: Event) => {
  event.preventDefault();
  move();
};

const itemLooks =
  "flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-xl px-3 py-2 no-underline outline-none select-none data-highlighted:bg-wash data-highlighted:text-deep data-disabled:opacity-50";

interface MenuItemProps {
  icon?: LucideIcon;
  onSelect?: () => void;
  tone?: "danger";
  disabled?: boolean;
  /** Renders the single child, e.g. a link, with the item's style. */
  asChild?: boolean;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, tone, disabled, asChild, children }: MenuItemProps) {
  return (
    <Radix.Item
      asChild={asChild}
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(itemLooks, tone === "danger" && "text-danger-text")}
    >
      {withIcon(icon, children)}
    </Radix.Item>
  );
}

export interface MenuAction extends Pick<MenuItemProps, "icon" | "tone" | "disabled"> {
  text: string;
  /** If undefined or false, the menu omits the action. */
  onSelect: (() => void) | false | undefined;
}

/** Menu items for the available actions. */
export const MenuActions = ({ actions }: { actions: readonly MenuAction[] }) =>
  actions.map(
    ({ text, onSelect, ...looks }) =>
      onSelect && (
        <MenuItem key={text} onSelect={onSelect} {...looks}>
          {text}
        </MenuItem>
      ),
  );

interface MenuChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: ReactNode; lang?: string }[];
}

/** A labelled radio group in a menu. */
export function MenuChoice({ label, value, onChange, options }: MenuChoiceProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} lang={option.lang} className={itemLooks}>
          <span className="grow">{option.label}</span>
          <Radix.ItemIndicator>
            <Check aria-hidden className="size-5 text-deep" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** The title of a group of items. */
export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-3 pt-2 pb-1 text-sm text-ink-soft">{children}</Radix.Label>
);

export function MenuSeparator() {
  return <Radix.Separator className="mx-3 my-2 h-px bg-line" />;
}

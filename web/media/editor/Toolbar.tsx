import { type Editor, useEditorState } from "@tiptap/react";
import {
  Bold,
  ChevronDown,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Pilcrow,
  Quote,
  Redo2,
  Undo2,
} from "lucide-react";
import { Toolbar as Radix } from "radix-ui";
import type { ComponentProps, Ref } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { Menu, MenuChoice } from "../../ui/Menu.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";

const ICONS: Record<Block, LucideIcon> = {
  text: Pilcrow,
  heading: Heading2,
  subheading: Heading3,
  bullets: List,
  numbers: ListOrdered,
  quote: Quote,
};

interface ToolbarProps {
  editor: Editor;
  onLink: () => void;
  /** Undefined if the story cannot contain photos. */
  onPhoto: (() => void) | undefined;
  ref?: Ref<HTMLDivElement>;
}

/** Formatting tools for the selection. One tab stop; arrow keys move between the tools. */
export function Toolbar({ editor, onLink, onPhoto, ref }: ToolbarProps) {
  const { t } = useTranslation("stories");
  const state = useEditorState({
    editor,
    selector: ({ editor }) => ({
      block: blockOf(editor),
      bold: editor.isActive("bold"),
      italic: editor.isActive("italic"),
      link: editor.isActive("link"),
      undo: editor.can().undo(),
      redo: editor.can().redo(),
    }),
  });
  const key = (name: string) => (isApple() ? `⌘${name}` : `Ctrl+${name}`);
  const run = (what: "toggleBold" | "toggleItalic" | "undo" | "redo") => () => editor.chain().focus()[what]().run();

  return (
    <Radix.Root
      ref={ref}
      aria-label={t("editor.tools")}
      className="sticky top-(--sticky-bars) z-10 flex items-center overflow-x-auto contain-inline-size rounded-t-xl border-b border-line bg-raised p-1 sm:gap-0.5 sm:px-2"
    >
      <Menu
        align="start"
        onClosed={() => editor.commands.focus()}
        trigger={
          <Radix.Button
            aria-label={t("editor.block", { block: t(`editor.blocks.${state.block}`) })}
            className={classNames(TOOL, "gap-1 px-1 sm:w-40 sm:justify-between sm:px-3")}
          >
            <BlockIcon block={state.block} className="sm:hidden" />
            <span className="truncate font-semibold max-sm:hidden">{t(`editor.blocks.${state.block}`)}</span>
            <ChevronDown aria-hidden className="size-4" />
          </Radix.Button>
        }
      >
        <MenuChoice
          label={t("editor.blockLabel")}
          value={state.block}
          onChange={(block) => setBlock(editor, block as Block)}
          options={BLOCKS.map((block) => ({
            value: block,
            label: (
              <span className="flex items-center gap-3">
                <BlockIcon block={block} />
                {t(`editor.blocks.${block}`)}
              </span>
            ),
          }))}
        />
      </Menu>
      <Tool icon={Bold} label={t("editor.bold")} keys={key("B")} pressed={state.bold} onClick={run("toggleBold")} />
      <Tool
        icon={Italic}
        label={t("editor.italic")}
        keys={key("I")}
        pressed={state.italic}
        onClick={run("toggleItalic")}
      />
      <Tool icon={Link} label={t("editor.link")} keys={key("K")} pressed={state.link} onClick={onLink} />
      {onPhoto && <Tool icon={Image} label={t("editor.photo")} onClick={onPhoto} />}
      <span className="grow" />
      <Tool icon={Undo2} label={t("editor.undo")} keys={key("Z")} disabled={!state.undo} onClick={run("undo")} />
      <Tool
        icon={Redo2}
        label={t("editor.redo")}
        keys={isApple() ? "⇧⌘Z" : "Ctrl+Y"}
        disabled={!state.redo}
        onClick={run("redo")}
      />
    </Radix.Root>
  );
}

const TOOL =
  "inline-flex h-11 min-w-11 shrink-0 cursor-pointer items-center justify-center rounded-lg text-ink-soft -outline-offset-2 transition-colors duration-200 ease-out hover:bg-wash hover:text-deep";

interface ToolProps extends Pick<ComponentProps<"button">, "onClick"> {
  icon: LucideIcon;
  label: string;
  /** The keyboard shortcut. */
  keys?: string;
  pressed?: boolean;
  disabled?: boolean;
}

function Tool({ icon: Icon, label, keys, pressed, disabled, onClick }: ToolProps) {
  return (
    <Tooltip text={keys ? `${label} (${keys})` : label}>
      <Radix.Button
        aria-label={label}
        aria-pressed={pressed}
        // Not `disabled`: an unavailable tool stays focusable.
        aria-disabled={disabled}
        onClick={disabled ? undefined : onClick}
        className={classNames(TOOL, pressed && "bg-wash text-deep", disabled && "opacity-40")}
      >
        <Icon aria-hidden className="size-5" />
      </Radix.Button>
    </Tooltip>
  );
}

function BlockIcon({ block, className }: { block: Block; className?: string }) {
  const Icon = ICONS[block];
  return <Icon aria-hidden className={classNames("size-5 shrink-0", className)} />;
}

/** The kinds of block in a story. */
const BLOCKS = ["text", "heading", "subheading", "bullets", "numbers", "quote"] as const;
type Block = (typeof BLOCKS)[number];

/** The kind of block at the cursor; a list within a quote counts as a list. */
function blockOf(editor: Editor): Block {
  if (editor.isActive("heading", { level: 2 })) return "heading";
  if (editor.isActive("heading", { level: 3 })) return "subheading";
  if (editor.isActive("orderedList")) return "numbers";
  if (editor.isActive("bulletList")) return "bullets";
  return editor.isActive("blockquote") ? "quote" : "text";
}

/** Converts the selection to this kind of block. */
function setBlock(editor: Editor, block: Block) {
  const chain = editor.chain().focus();
  const before = blockOf(editor);
  if (block === before) return void chain.run();
  if (block === "bullets") return void chain.toggleBulletList().run();
  if (block === "numbers") return void chain.toggleOrderedList().run();
  chain.clearNodes();
  if (block === "heading") chain.setHeading({ level: 2 });
  if (block === "subheading") chain.setHeading({ level: 3 });
  if (block === "quote") chain.setBlockquote();
  chain.run();
}

/** Whether the keyboard has ⌘ instead of Ctrl. */
const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

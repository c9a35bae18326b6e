import type { Editor } from "@tiptap/react";

/** What a stretch of a story can be. */
export const BLOCKS = ["text", "heading", "subheading", "bullets", "numbers", "quote"] as const;
export type Block = (typeof BLOCKS)[number];

/** What the cursor stands in; a list within a quote counts as a list. */
export function blockOf(editor: Editor): Block {
  if (editor.isActive("heading", { level: 2 })) return "heading";
  if (editor.isActive("heading", { level: 3 })) return "subheading";
  if (editor.isActive("orderedList")) return "numbers";
  if (editor.isActive("bulletList")) return "bullets";
  return editor.isActive("blockquote") ? "quote" : "text";
}

/** Makes what is chosen this kind of block, whatever it was before. */
export function setBlock(editor: Editor, block: Block) {
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

/** Whether this keyboard has ⌘ where others have Ctrl. */
export const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

import { type Editor, NodeViewContent, NodeViewWrapper, type ReactNodeViewProps } from "@tiptap/react";
import { ArrowDown, ArrowUp, ImageOff, Trash2 } from "lucide-react";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { StoryPicture } from "../StoryPicture.tsx";
import type { KnownMedia } from "../use-story-media.ts";

const Context = createContext<KnownMedia | undefined>(undefined);

/** Provides the photo data for an editor's photos. */
export const EditorMedia = Context.Provider;

const TOOL = "bg-raised/95 text-ink shadow-soft";

/** A photo in the editor, with a caption field. It can be moved and removed. */
export function EditorPhoto({ node, selected, editor, getPos, deleteNode }: ReactNodeViewProps) {
  const { t } = useTranslation("stories");
  const media = useContext(Context);
  const photo = media?.(String(node.attrs.media));
  const move = (by: -1 | 1) => {
    const at = getPos();
    if (at !== undefined) moveBlock(editor, at, by);
  };
  return (
    <NodeViewWrapper
      as="figure"
      className={classNames("group relative rounded-lg", selected && "outline-3 outline-offset-4 outline-deep")}
    >
      <div contentEditable={false} data-drag-handle className="cursor-grab">
        {photo !== null ? (
          <StoryPicture photo={photo} />
        ) : (
          <p className="flex items-center gap-3 rounded-lg bg-sunken px-4 py-6 font-sans text-base text-ink-soft">
            <ImageOff aria-hidden className="size-5 shrink-0" />
            {t("editor.photoGone")}
          </p>
        )}
        <div className="absolute end-2 top-2 flex gap-1 font-sans">
          <IconButton icon={ArrowUp} label={t("editor.photoUp")} className={TOOL} onClick={() => move(-1)} />
          <IconButton icon={ArrowDown} label={t("editor.photoDown")} className={TOOL} onClick={() => move(1)} />
          <IconButton icon={Trash2} label={t("editor.photoRemove")} className={TOOL} onClick={deleteNode} />
        </div>
      </div>
      <NodeViewContent<"figcaption">
        as="figcaption"
        data-placeholder={t("editor.caption")}
        className={classNames(
          "min-h-8 cursor-text",
          node.content.size === 0 &&
            "before:pointer-events-none before:float-inline-start before:h-0 before:content-[attr(data-placeholder)]",
        )}
      />
    </NodeViewWrapper>
  );
}

/** Swaps the block at a position with the previous (-1) or next one (1); at the edge it does nothing. */
function moveBlock(editor: Editor, at: number, by: -1 | 1) {
  const { doc, tr } = editor.state;
  const block = doc.nodeAt(at);
  const place = doc.resolve(at);
  const other = by === -1 ? place.nodeBefore : block && doc.resolve(at + block.nodeSize).nodeAfter;
  if (!block || !other) return;
  const to = by === -1 ? at - other.nodeSize : at + other.nodeSize;
  editor.view.dispatch(
    tr
      .delete(at, at + block.nodeSize)
      .insert(to, block)
      .scrollIntoView(),
  );
}

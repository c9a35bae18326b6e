import { type Editor, EditorContent, ReactNodeViewRenderer, useEditor, useEditorState } from "@tiptap/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isMediaId, STORY_LIMIT } from "../../../shared/story-html.ts";
import { parseUrl } from "../../lib/browser/parse-url.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { isWriting } from "../is-writing.ts";
import { useStoryMedia } from "../use-story-media.ts";
import { EditorMedia, EditorPhoto } from "./EditorPhoto.tsx";
import { LinkWindow } from "./LinkWindow.tsx";
import { MediaWindow } from "./MediaWindow.tsx";
import { pastedHtml } from "./pasted-html.ts";
import { StoryPhoto, storySchema } from "./story-schema.ts";
import { Toolbar } from "./Toolbar.tsx";
import { writtenStory } from "./written-story.ts";

/** Changes to an editor's content from outside; each can be undone. */
export interface EditorHandle {
  replace(html: string): void;
  append(html: string): void;
  focus(): void;
}

export interface RichEditorProps {
  client: SupabaseClient;
  /** The memory whose photos can be inserted; without it, none can. */
  memoryId?: string;
  /** The initial content; later changes are ignored. */
  html: string;
  onChange: (html: string) => void;
  /** Ids of the elements that name and describe the field. */
  labelledBy: string;
  describedBy?: string;
  invalid?: boolean;
  placeholder: string;
  autoFocus?: boolean;
  onReady?: (handle: EditorHandle) => void;
}

const PhotoInEditor = StoryPhoto.extend({ addNodeView: () => ReactNodeViewRenderer(EditorPhoto) });
/** The length from which the remaining characters are shown. */
const NEARLY_FULL = STORY_LIMIT * 0.9;
/** Distances in CSS pixels that the cursor keeps from the window's edges: above it are the sticky bars and the toolbar. */
const CURSOR_ROOM = { top: 176, right: 0, bottom: 24, left: 0 };

/** The editor for stories: rich text with photos of the memory. It is large, so `RichTextField` loads it on demand. */
export function RichEditor({
  client,
  memoryId,
  html,
  onChange,
  labelledBy,
  describedBy,
  invalid,
  placeholder,
  autoFocus,
  onReady,
}: RichEditorProps) {
  const [asking, setAsking] = useState<"link" | "photo">();
  const [length, setLength] = useState(html.length);
  const toolbar = useRef<HTMLDivElement>(null);
  const changed = useLatest(onChange);

  const [extensions] = useState(() => storySchema({ placeholder, photo: PhotoInEditor }));
  const editor = useEditor({
    extensions,
    content: html,
    shouldRerenderOnTransaction: false,
    editorProps: {
      scrollThreshold: CURSOR_ROOM,
      scrollMargin: CURSOR_ROOM,
      attributes: {
        role: "textbox",
        // A translator must not change what a person writes.
        translate: "no",
        "aria-multiline": "true",
        "aria-labelledby": labelledBy,
        "aria-invalid": String(invalid ?? false),
        ...(describedBy ? { "aria-describedby": describedBy } : {}),
        class: "story min-h-44 px-4 py-4 font-serif text-lg leading-[1.75] outline-none sm:px-6",
      },
      transformPastedHTML: pastedHtml,
      handleKeyDown(_view, event) {
        if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
          setAsking("link");
        } else if (event.altKey && event.key === "F10") {
          toolbar.current?.querySelector<HTMLElement>("button[tabindex='0'], button")?.focus();
        } else return false;
        event.preventDefault();
        return true;
      },
      handleDrop(view, event) {
        const media = mediaInAddress(event.dataTransfer?.getData("text/uri-list") ?? "", location.origin);
        if (!media || memoryId === undefined) return false;
        event.preventDefault();
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
        if (editorRef.current) insertMedia(editorRef.current, { id: media, caption: "" }, at);
        return true;
      },
    },
    onCreate({ editor }) {
      // It is loaded late: whoever writes in another field by then goes on there. The command would wait for a frame.
      if (!autoFocus || isWriting(document.activeElement)) return;
      editor.commands.setTextSelection(editor.state.doc.content.size);
      editor.view.focus();
    },
    onUpdate({ editor }) {
      const written = writtenStory(editor.getHTML());
      setLength(written.length);
      changed.current(written);
    },
  });
  useCursorBelowTools();
  const editorRef = useRef<Editor>(editor);
  useEffect(() => {
    editorRef.current = editor;
  }, [editor]);
  useEffect(() => {
    onReady?.({
      replace: (next) => void editor.chain().focus().setContent(next, { emitUpdate: true }).run(),
      append: (more) => void editor.chain().focus("end").insertContent(more).run(),
      focus: () => void editor.commands.focus(),
    });
  }, [editor, onReady]);

  const ids = useEditorState({ editor, selector: ({ editor }) => mediaOf(editor), equalityFn: sameIds });
  const { media } = useStoryMedia(client, memoryId ?? "", ids);

  return (
    <div
      className={classNames(
        "rounded-xl border bg-raised has-[.ProseMirror-focused]:border-deep has-[.ProseMirror-focused]:outline-2 has-[.ProseMirror-focused]:-outline-offset-1 has-[.ProseMirror-focused]:outline-deep",
        invalid ? "border-danger" : "border-edge",
      )}
    >
      <Toolbar
        ref={toolbar}
        editor={editor}
        onLink={() => setAsking("link")}
        onPhoto={memoryId === undefined ? undefined : () => setAsking("photo")}
      />
      <EditorMedia value={media}>
        <EditorContent editor={editor} />
      </EditorMedia>
      <Room length={length} />
      <LinkWindow editor={editor} open={asking === "link"} onClose={() => setAsking(undefined)} />
      {memoryId !== undefined && (
        <MediaWindow
          client={client}
          memoryId={memoryId}
          sounds
          open={asking === "photo"}
          onClose={() => setAsking(undefined)}
          onClosed={() => editor.commands.focus()}
          onChosen={(chosen) => insertMedia(editor, chosen)}
        />
      )}
    </div>
  );
}

function mediaOf(editor: Editor): string[] {
  const ids: string[] = [];
  editor.state.doc.forEach((node) => {
    if (node.type.name === StoryPhoto.name) ids.push(String(node.attrs.media));
  });
  return ids;
}

const sameIds = (a: string[], b: string[] | null) => a.join() === b?.join();

/** The remaining characters, shown near the limit. */
function Room({ length }: { length: number }) {
  const { t } = useTranslation("stories");
  const remaining = STORY_LIMIT - length;
  return (
    <p role="status" className="px-4 pb-3 text-sm text-ink-soft empty:hidden sm:px-6">
      {length > NEARLY_FULL &&
        (remaining >= 0 ? t("editor.room", { count: remaining }) : t("editor.full", { count: -remaining }))}
    </p>
  );
}

/**
 * Inserts a photo after the block at `at` (default: the cursor), or replaces an empty block. Moves the cursor after it.
 */
function insertMedia(editor: Editor, media: { id: string; caption: string }, at?: number) {
  const { doc, selection } = editor.state;
  const place = doc.resolve(at ?? selection.to);
  const block = place.depth > 0 ? place.node(1) : undefined;
  const empty = block?.type.name === "paragraph" && block.content.size === 0;
  const from = block ? (empty ? place.before(1) : place.after(1)) : place.pos;
  const to = block ? place.after(1) : place.pos;
  const photo = {
    type: "photo",
    attrs: { media: media.id },
    content: media.caption ? [{ type: "text", text: media.caption.replaceAll(/\s+/g, " ") }] : [],
  };
  const next = doc.nodeAt(to);
  const content = next ? [photo] : [photo, { type: "paragraph" }];
  const size = 2 + (photo.content[0]?.text.length ?? 0);
  editor
    .chain()
    .insertContentAt({ from, to }, content, { updateSelection: false })
    .setTextSelection(from + size + 1)
    .scrollIntoView()
    .run();
}

/** Returns the id of the photo in a URL of the app. A photo dragged from a gallery has such a URL. */
export function mediaInAddress(address: string, origin: string): string | undefined {
  const [first = ""] = address.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  const url = parseUrl(first);
  const id = url?.searchParams.get("photo") ?? "";
  return url?.origin === origin && isMediaId(id) ? id : undefined;
}

/**
 * Keeps the cursor below the toolbar where the browser itself scrolls to it. The library does so only if the browser
 * reports an arrow key's move within 50 ms, which a slow device exceeds.
 */
function useCursorBelowTools() {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingTop = "calc(var(--sticky-bars) + 4.5rem)";
    return () => void style.removeProperty("scroll-padding-top");
  }, []);
}

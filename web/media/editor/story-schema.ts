import { Extension, Node } from "@tiptap/core";
import { Link } from "@tiptap/extension-link";
import { Placeholder } from "@tiptap/extensions";
import { NodeSelection, Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import StarterKit from "@tiptap/starter-kit";
import { isMediaId, STORY_LINK_REL, storyLink } from "../../../shared/story-html.ts";

/** Photos are top-level blocks, not part of lists and quotes. */
const Story = Node.create({ name: "doc", topNode: true, content: "(block | photo)+" });

/** A link with its target only, without attributes of pasted HTML. */
const StoryLink = Link.extend({
  addAttributes: () => ({
    href: { default: null, parseHTML: (element) => storyLink(element.getAttribute("href") ?? "") },
  }),
  renderHTML: ({ HTMLAttributes }) => {
    const href = storyLink(String(HTMLAttributes.href ?? ""));
    return href ? ["a", { href, rel: STORY_LINK_REL }, 0] : ["span", 0];
  },
}).configure({
  openOnClick: false,
  autolink: true,
  defaultProtocol: "https",
  isAllowedUri: (url) => storyLink(url) !== undefined,
});

/**
 * A photo in a story, stored as its id, `<figure data-media="…">`, and its caption. Each reader requests the photo with
 * their own permissions.
 */
export const StoryPhoto = Node.create({
  name: "photo",
  content: "text*",
  marks: "",
  isolating: true,
  defining: true,
  draggable: true,
  addAttributes: () => ({
    media: {
      default: null,
      parseHTML: (element) => element.getAttribute("data-media"),
      renderHTML: ({ media }) => ({ "data-media": media }),
    },
  }),
  parseHTML: () => [
    {
      tag: "figure[data-media]",
      contentElement: "figcaption",
      getAttrs: (element) => (isMediaId(element.getAttribute("data-media") ?? "") ? null : false),
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ["figure", HTMLAttributes, ["figcaption", 0]],
  addKeyboardShortcuts() {
    return {
      // Enter in a caption, or on a selected photo, continues below the photo.
      Enter: ({ editor }) => {
        const { selection } = editor.state;
        const inCaption = selection.$from.parent.type === this.type;
        const chosen = selection instanceof NodeSelection && selection.node.type === this.type;
        if (!inCaption && !chosen) return false;
        const after = inCaption ? selection.$from.after() : selection.to;
        return editor
          .chain()
          .insertContentAt(after, { type: "paragraph" })
          .setTextSelection(after + 1)
          .run();
      },
    };
  },
});

/** Gives each block the direction of its own words, as where the story is read, and writes nothing of it. */
const Direction = Extension.create({
  name: "direction",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc }) {
          const blocks: Decoration[] = [];
          doc.forEach((node, at) => {
            blocks.push(Decoration.node(at, at + node.nodeSize, { dir: "auto" }));
          });
          return DecorationSet.create(doc, blocks);
        },
      },
    }),
  ],
});

/** The editor's schema: exactly what `shared/story-html.ts` allows. */
export const storySchema = ({ placeholder = "", photo = StoryPhoto } = {}) => [
  Story,
  StarterKit.configure({
    document: false,
    link: false,
    code: false,
    codeBlock: false,
    strike: false,
    underline: false,
    heading: { levels: [2, 3] },
    dropcursor: { color: "var(--deep)", width: 3 },
    // Keeps a paragraph below a photo at the end, for the cursor.
    trailingNode: { node: "paragraph", notAfter: ["paragraph", "heading", "bulletList", "orderedList"] },
  }),
  StoryLink,
  Direction,
  photo,
  Placeholder.configure({ placeholder, showOnlyCurrent: true }),
];

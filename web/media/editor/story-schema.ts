import { Node } from "@tiptap/core";
import { Link } from "@tiptap/extension-link";
import { Placeholder } from "@tiptap/extensions";
import { NodeSelection } from "@tiptap/pm/state";
import StarterKit from "@tiptap/starter-kit";
import { isMediaId, STORY_LINK_REL, storyLink } from "../../../shared/story-html.ts";

/** Photos are between the blocks of a story, not inside its lists and quotes. */
const Story = Node.create({ name: "doc", topNode: true, content: "(block | photo)+" });

/** A link as it is stored: where it leads, and nothing of its maker's. */
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
 * A photo of the memory in its story. What is kept is the photo's id, `<figure data-media="…">`, and what is written
 * under it: anyone who reads asks for the photo as themselves.
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
      // From a caption, and from a chosen photo, one goes on below it.
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

/** Everything that a story may hold: what `shared/story-html.ts` lists, and no more. */
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
    // A way on below a photo that ends the story.
    trailingNode: { node: "paragraph", notAfter: ["paragraph", "heading", "bulletList", "orderedList"] },
  }),
  StoryLink,
  photo,
  Placeholder.configure({ placeholder, showOnlyCurrent: true }),
];

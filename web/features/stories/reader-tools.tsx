import type { Story } from "../../data/stories.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { askToReport } from "../../lib/browser/reporting.ts";
import type { StoryTools } from "./Stories.tsx";

// Loaded lazily, because reading a story does not need the menu.
const StoryMenu = lazyPart(async () => ({ default: (await import("./StoryMenu.tsx")).StoryMenu }), "nothing");

/** Returns a reader's actions on a story. */
export const readerTools = (story: Story): StoryTools => ({
  menu: <StoryMenu story={story} onReport={() => askToReport({ kind: "story", id: story.id })} />,
});

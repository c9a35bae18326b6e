import type { Story } from "../../data/stories.queries.ts";
import { askToReport } from "../../lib/browser/reporting.ts";
import type { StoryTools } from "./Stories.tsx";
import { StoryMenu } from "./StoryMenu.tsx";

/** What somebody who only reads may do with a story. */
export const readerTools = (story: Story): StoryTools => ({
  menu: <StoryMenu story={story} onReport={() => askToReport({ kind: "story", id: story.id })} />,
});

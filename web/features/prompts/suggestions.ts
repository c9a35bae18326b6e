/** Suggested prompts by kind of memory; their texts are `prompts:suggestions`. */
export const SUGGESTIONS = {
  event: ["table", "laugh", "dance", "selfie", "advice", "meeting", "detail", "voice"],
  tribute: ["cooked", "saying", "laughter", "taught", "young", "place", "song", "letter"],
} as const;

export type Suggestion = (typeof SUGGESTIONS)["event" | "tribute"][number];

const ALL: ReadonlySet<string> = new Set(Object.values(SUGGESTIONS).flat());

/** Whether this version of the app has the suggestion; otherwise the prompt's own text is shown. */
export const isSuggestion = (key: string | null): key is Suggestion => key !== null && ALL.has(key);

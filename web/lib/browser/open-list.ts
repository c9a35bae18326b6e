/** Whether the field in use shows a list of suggestions, which Escape closes before the dialog around it. */
export const hasOpenList = (): boolean => document.activeElement?.hasAttribute("aria-activedescendant") === true;

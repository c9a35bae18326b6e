/** The purposes of a callback to /auth/callback. */
export const PURPOSES = ["signup", "link", "recovery", "email", "social", "identity"] as const;
export type Purpose = (typeof PURPOSES)[number];

export const isPurpose = (text: string | null): text is Purpose => PURPOSES.some((purpose) => purpose === text);

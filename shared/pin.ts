/** Spec §9: a PIN is 4 digits. */
export const PIN_LENGTH = 4;

/** Whether `text` is a complete PIN: four ASCII digits and nothing else. */
export const isPin = (text: string): boolean => /^[0-9]{4}$/.test(text);

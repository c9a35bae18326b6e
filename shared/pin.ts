/** Spec §9: a PIN is 4 digits. */
export const PIN_LENGTH = 4;

/** Whether `text` is a whole PIN: ASCII digits only, nothing around them. */
export const isPin = (text: string): boolean => /^[0-9]{4}$/.test(text);

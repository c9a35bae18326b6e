/** Joins class names and skips unset ones. */
export const classNames = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(" ");

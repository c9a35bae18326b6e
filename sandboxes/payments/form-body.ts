export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type FormObject = { [key: string]: FormValue };

/** Parses the vendor's form encoding of objects: `line_items[0][price_data][currency]=gbp`. */
export function readForm(text: string): FormObject {
  const root: FormObject = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    const path = [key.replace(/\[.*$/s, ""), ...[...key.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part ?? "")];
    put(root, path, value);
  }
  return listsIn(root) as FormObject;
}

function put(into: FormObject, [first = "", ...rest]: string[], value: string) {
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = into[first];
  const next: FormObject =
    inner !== undefined && typeof inner === "object" && !Array.isArray(inner) ? inner : Object.create(null);
  into[first] = next;
  put(next, rest[0] === "" ? [String(Object.keys(next).length), ...rest.slice(1)] : rest, value);
}

/** Converts objects with the keys 0, 1, 2 … to lists. */
function listsIn(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  const inner = keys.map((key): [string, FormValue] => [key, listsIn(value[key] ?? "")]);
  if (keys.length > 0 && keys.every((key, place) => key === String(place))) return inner.map(([, item]) => item);
  return Object.fromEntries(inner);
}

export const textAt = (form: FormObject, key: string): string | undefined => {
  const value = form[key];
  return typeof value === "string" ? value : undefined;
};
export const objectAt = (form: FormObject, key: string): FormObject | undefined => {
  const value = form[key];
  return value !== undefined && typeof value === "object" && !Array.isArray(value) ? value : undefined;
};
export const listAt = (form: FormObject, key: string): FormObject[] => {
  const value = form[key];
  return Array.isArray(value)
    ? value.filter((item): item is FormObject => typeof item === "object" && !Array.isArray(item))
    : [];
};

import { type FormObject, textAt } from "./form-body.ts";

/** The vendor's error response to an invalid request. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly param?: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Returns the entry with this id; throws an {@link ApiError} if there is none. */
export function objectOf<T>(objects: ReadonlyMap<string, T>, id: string, what: string): T {
  const object = objects.get(id);
  if (!object) throw new ApiError(`No such ${what}: '${id}'`, "id", "resource_missing");
  return object;
}

export function amountAt(form: FormObject, key: string): number {
  const text = textAt(form, key);
  if (text === undefined || !/^\d{1,12}$/.test(text))
    throw new ApiError(`Invalid integer: ${text}`, key, "parameter_invalid_integer");
  return Number(text);
}

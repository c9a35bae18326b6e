interface Answer {
  data: unknown;
  error: unknown;
}

/** The data of the client's answer; throws an error with this message, and the answer's own as its cause, where it failed. */
export function unwrap<A extends Answer>({ data, error }: A, message: string): Extract<A, { error: null }>["data"] {
  if (error) throw new Error(message, { cause: error });
  return data;
}

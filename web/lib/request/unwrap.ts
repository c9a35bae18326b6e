interface Answer {
  data?: unknown;
  error: unknown;
}

/**
 * For `.then` of a client's answer: gives its data, or where it failed throws an error with this message and the answer's own
 * as its cause.
 */
export const unwrap =
  (message: string) =>
  <A extends Answer>({ data, error }: A): Extract<A, { error: null }>["data"] => {
    if (error) throw new Error(message, { cause: error });
    return data;
  };

interface Answer {
  data?: unknown;
  error: unknown;
}

/** For `.then` of a client's response: returns its data, or throws this message with the response's error as cause. */
export const unwrap =
  (message: string) =>
  <A extends Answer>({ data, error }: A): Extract<A, { error: null }>["data"] => {
    if (error) throw new Error(message, { cause: error });
    return data;
  };

const prompts = new WeakMap<File, string>();

/** Notes that these files answer a prompt, before they are added to an upload queue. Returns the files. */
export function answering(files: readonly File[], promptId: string): File[] {
  for (const file of files) prompts.set(file, promptId);
  return [...files];
}

/** The prompt that a file answers, as a field of its stored upload. */
export function promptOf(file: File): { prompt?: string } {
  const prompt = prompts.get(file);
  return prompt === undefined ? {} : { prompt };
}

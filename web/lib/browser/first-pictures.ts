import { startTransition, useEffect, useState } from "react";

/** Pictures that take longer are not waited for. */
const WITHIN_MS = 3000;

/** Resolves when the page's eager pictures have loaded or failed, so that later downloads do not slow them down. */
export async function firstPictures(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>("img[loading=eager]")];
  const tooLong = new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  await Promise.race([tooLong, Promise.allSettled(pictures.map((picture) => picture.decode()))]);
}

/** Whether the first pictures of the page have loaded. */
export function useFirstPictures(): boolean {
  const [there, setThere] = useState(false);
  // What waits for it is rendered in steps of some milliseconds.
  useEffect(() => void firstPictures().then(() => startTransition(() => setThere(true))), []);
  return there;
}

import { useEffect, useState } from "react";

/** Pictures that take longer are not waited for. */
const WITHIN_MS = 3000;

/**
 * Resolves once the pictures that the page loads eagerly are there, or have failed: on a bad line whatever is needed later
 * would be in their way.
 */
export async function firstPictures(): Promise<void> {
  const pictures = [...document.querySelectorAll<HTMLImageElement>("img[loading=eager]")];
  const tooLong = new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  await Promise.race([tooLong, Promise.allSettled(pictures.map((picture) => picture.decode()))]);
}

/** Whether the first pictures of the page that was just shown are there. */
export function useFirstPictures(): boolean {
  const [there, setThere] = useState(false);
  useEffect(() => void firstPictures().then(() => setThere(true)), []);
  return there;
}

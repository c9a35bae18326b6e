import { type RefObject, useEffect, useState } from "react";

const SAID_FOR_MS = 4000;

/** Copies a text, or selects it in its field, if there is one, if the browser allows no copying. */
export function useCopy(text: string, field?: RefObject<HTMLInputElement | null>) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    if (result !== "copied") return;
    const timer = setTimeout(() => setResult(undefined), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [result]);
  /** Resolves to whether it was copied. */
  const copy = async (): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult("copied");
      return true;
    } catch {
      field?.current?.select();
      setResult("failed");
      return false;
    }
  };
  return { result, copy };
}

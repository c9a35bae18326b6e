import { type ReactNode, Suspense, useRef, useState } from "react";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { BotCheckHandle } from "./BotCheck.tsx";
import { captchaTokens } from "./captcha-tokens.ts";

const BotCheck = lazyPart(() => import("./BotCheck.tsx"));

/** How long a form waits for a silent widget. */
const PATIENCE_MS = 20_000;

/** A token for one request; undefined if the widget has none, and the server decides. */
export type Captcha = () => Promise<string | undefined>;

/**
 * The bot check of a form: `captcha` for each request, and the `widget` to place in the form. The widget's code is
 * fetched when it is placed. It belongs below the form's button: a question that appeared above would move the button away
 * from whoever is about to press it.
 */
export function useBotCheck(): { captcha: Captcha; widget: ReactNode } {
  const [tokens] = useState(captchaTokens);
  const check = useRef<BotCheckHandle>(null);
  const captcha = async () => {
    check.current?.load();
    const token = await tokens.take(PATIENCE_MS);
    check.current?.renew();
    return token;
  };
  const widget = (
    <Suspense>
      <BotCheck ref={check} tokens={tokens} />
    </Suspense>
  );
  return { captcha, widget };
}
